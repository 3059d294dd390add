/**
 * `serverless package` on one service after another, in one process: `node packageServices.cjs <folder>...`, each with a
 * `serverless.json`. Writes one line of JSON a service: what refuses it, or null, what its plugins told, and its template.
 */
const Serverless = require('serverless/lib/serverless');
const readConfiguration = require('serverless/lib/configuration/read');
const { join } = require('node:path');

async function packageService(serviceDir) {
  process.chdir(serviceDir);
  const told = [];
  console.error = (line) => told.push(line);
  const configurationFilename = 'serverless.json';
  const configuration = await readConfiguration(join(serviceDir, configurationFilename));
  const options = { serviceDir, configurationFilename, configuration, commands: ['package'], options: {} };
  const serverless = new Serverless(options);
  const refusal = await run(serverless).catch(({ message }) => message);
  return { refusal, told, template: serverless.service.provider?.compiledCloudFormationTemplate };
}

async function run(serverless) {
  await serverless.init();
  await serverless.run();
  return null;
}

(async () => {
  for (const folder of process.argv.slice(2)) {
    process.stdout.write(`${JSON.stringify(await packageService(folder))}\n`);
  }
})();
