/**
 * `npm run login`: answers one event through the built bundle. The answer goes to stdout as JSON, everything else to
 * stderr. Exit code 0 for any answer.
 */
import { environmentFor, useStage } from '../engine/environment.ts';
import { prepareBundle } from '../engine/prepareBundle.ts';
import { startFunction } from '../lambda/functionProcess.ts';
import { FunctionFailed } from '../lambda/runtimeApi.ts';
import { type Command, FUNCTIONS, readJsonFile, runCommand, STAGE } from './commandLine.ts';
import { explain } from './explain.ts';

const COMMAND = {
  name: 'npm run login',
  purpose: 'answers one event: the answer on stdout, the log on stderr',
  positionals: [
    { name: '<openid|saml>', about: 'the kind of login', choices: Object.keys(FUNCTIONS) },
    { name: '<event.json>', about: 'the file of an event, e.g. events/openidLoggedIn/entra.json' },
  ],
  options: {
    handler: {
      type: 'string',
      value: '<module>',
      about: 'answers by this handler, not by the configured one',
    },
    explain: { type: 'boolean', about: 'prints how the answer came about' },
    stage: STAGE,
  },
  example: 'openid events/openidLoggedIn/entra.json --explain',
  found: 'the function crashed, or did not answer in time',
} as const satisfies Command;

await runCommand(COMMAND, async ({ positionals: [kind = '', file = ''], values }) => {
  const functionName = FUNCTIONS[kind] ?? '';
  const { handler, explain: isExplained = false, stage } = values;
  useStage(stage);
  const event = await readJsonFile(file);
  const { root, handlerModule } = await prepareBundle(handler);
  const logLevel = isExplained ? { AWS_LAMBDA_LOG_LEVEL: 'DEBUG' } : {};
  const login = await startFunction({
    name: functionName,
    root,
    env: { ...environmentFor(functionName, handlerModule), ...logLevel },
    onOutput: (text) => process.stderr.write(text),
  });
  try {
    console.log(JSON.stringify(await login.invoke(event, crypto.randomUUID()), null, 2));
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await login.stop();
  }
  if (isExplained) console.error(`\n${explain(login.records())}`);
  return 0;
});
