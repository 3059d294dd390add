/**
 * `npm run login -- <openid|saml> <event.json> [--handler <module>] [--explain]`: answers one event through the
 * built bundle. The answer goes to stdout as JSON, everything else to stderr. Exit code 0 for any answer, 2 for
 * unusable input. `--explain` prints how the answer came about.
 */

import { environmentFor, useStage } from '../engine/environment.ts';
import { prepareBundle } from '../engine/prepareBundle.ts';
import { startFunction } from '../lambda/functionProcess.ts';
import { FUNCTIONS, readCommandLine, readJsonFile, run, UnusableInput } from './commandLine.ts';
import { explain } from './explain.ts';

const USAGE =
  'usage: npm run login -- <openid|saml> <event.json> [--handler <module>] [--explain] [--stage <stage>]';

await run(async () => {
  const { functionName, file, handler, isExplained } = readArguments();
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
  } finally {
    await login.stop();
  }
  if (isExplained) console.error(`\n${explain(login.records())}`);
});

function readArguments() {
  const { positionals, values } = readCommandLine(USAGE, 2, {
    handler: { type: 'string' },
    explain: { type: 'boolean' },
    stage: { type: 'string' },
  });
  useStage(values.stage);
  const [kind, file] = positionals;
  const functionName = FUNCTIONS[kind ?? ''];
  if (!functionName) throw new UnusableInput(`expected openid or saml, found ${kind ?? 'nothing'}\n${USAGE}`);
  if (!file)
    throw new UnusableInput(`expected the file of an event, e.g. events/${functionName}/…\n${USAGE}`);
  return { functionName, file, handler: values.handler, isExplained: values.explain === true };
}
