/**
 * Runs the command line of `serverless` again and again in one process: `node runServerless.cjs <file>`. The file is a JSON
 * list of commands, each with its `args` and its `settings`. Writes one line of JSON a command: its exit code, and what it wrote.
 */
const { readFileSync, writeSync } = require('node:fs');

const cli = require.resolve('serverless/bin/serverless.js');
const environment = { ...process.env };
const commands = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let told = '';
for (const stream of [process.stdout, process.stderr])
  stream.write = (text, ...others) => {
    told += text;
    others.at(-1)?.();
    return true;
  };

/** What keeps a state: the libraries below are most of the modules, and keep none. */
const STATEFUL = /[\\/](?:node_modules|tools)[\\/]serverless[\\/]/;

/** Nothing is left of the command before: no module of `serverless` or of its plugin, no setting, no listener. */
function start({ args, settings }) {
  for (const file of Object.keys(require.cache)) if (STATEFUL.test(file)) delete require.cache[file];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment, settings);
  process.removeAllListeners('uncaughtException');
  process.exitCode = 0;
  process.argv.splice(1, Number.POSITIVE_INFINITY, cli, ...args);
  require(cli);
}

// A command is over when the process has nothing left to do.
process.on('beforeExit', () => {
  writeSync(1, `${JSON.stringify([process.exitCode, told])}\n`);
  told = '';
  process.exitCode = 0;
  if (commands.length > 0) start(commands.shift());
});
start(commands.shift());
