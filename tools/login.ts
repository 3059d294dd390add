/**
 * `npm run login -- <openid|saml> <event.json> [--handler <module>]`: answers one event through the built bundle.
 * The answer goes to stdout as JSON, everything else to stderr. Exit code 0 for any answer, 2 for unusable input.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { HANDLER_SETTING } from './events.ts';
import { startFunction } from './lambda/functionProcess.ts';
import { prepareBundle, UnusableInput } from './prepareBundle.ts';

const USAGE = 'usage: npm run login -- <openid|saml> <event.json> [--handler <module>]';
const FUNCTIONS: Readonly<Record<string, string>> = { openid: 'openidLoggedIn', saml: 'samlLoggedIn' };

async function main(): Promise<void> {
  const { functionName, file, handler } = readArguments();
  const event = await readEvent(file);
  const { root, handlerModule } = await prepareBundle(handler);
  const setting = handlerModule === undefined ? {} : { [HANDLER_SETTING[functionName] ?? '']: handlerModule };
  const login = await startFunction({
    name: functionName,
    root,
    env: { ...process.env, ...setting },
    onOutput: (text) => process.stderr.write(text),
  });
  try {
    console.log(JSON.stringify(await login.invoke(event, crypto.randomUUID()), null, 2));
  } finally {
    await login.stop();
  }
}

function readArguments() {
  const { kind, file, handler } = parse();
  const functionName = FUNCTIONS[kind ?? ''];
  if (!functionName) throw new UnusableInput(`expected openid or saml, found ${kind ?? 'nothing'}\n${USAGE}`);
  if (!file)
    throw new UnusableInput(`expected the file of an event, e.g. events/${functionName}/…\n${USAGE}`);
  return { functionName, file, handler };
}

function parse() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { handler: { type: 'string' } },
    });
    const [kind, file, ...rest] = positionals;
    if (rest.length > 0) throw new Error(`expected one event, found ${rest.length + 1}`);
    return { kind, file, handler: values.handler };
  } catch (error) {
    throw new UnusableInput(`${(error as Error).message}\n${USAGE}`);
  }
}

async function readEvent(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInput(`${file}: cannot be read (${error.code})`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableInput(`${file}: expected JSON: ${(error as Error).message}`);
  }
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = error instanceof UnusableInput ? 2 : 1;
}
