/**
 * `npm run capture`: reads what was caught of a login, in a browser's developer tools or in a log. Prints each login in it, what
 * is wrong with it, and how the function answers it. Exit code 1 where there is a problem.
 */
import { text as textOf } from 'node:stream/consumers';
import { styleText } from 'node:util';
import type { Captured } from '../capture/captured.ts';
import { readCapture } from '../capture/readCapture.ts';
import { Engine } from '../engine/engine.ts';
import { configuredHandler, environmentFor, useStage } from '../engine/environment.ts';
import { momentOf } from '../engine/moment.ts';
import type { ServiceForm } from '../engine/serviceEvent.ts';
import type { Finding } from '../studio/api.ts';
import {
  type Arguments,
  type Command,
  readTextFile,
  runCommand,
  STAGE,
  UnusableInput,
} from './commandLine.ts';
import { explain } from './explain.ts';
import { failureLines } from './failure.ts';

const COMMAND = {
  name: 'npm run capture',
  purpose: 'reads a login that was caught: what is wrong with it, and how it is answered',
  positionals: [
    {
      name: '<file>',
      about:
        'a SAMLResponse, a token response, an ID token, a HAR file, a SAML-tracer export, an event or log records; - reads stdin',
    },
  ],
  options: {
    metadata: {
      type: 'string',
      value: '<file>',
      about: 'the SAML metadata of the provider, to check signatures',
    },
    form: {
      type: 'string',
      value: '<plain|known>',
      default: 'plain',
      choices: ['plain', 'known'],
      about: 'the event as the provider sent it, or as the known service writes it',
    },
    handler: {
      type: 'string',
      value: '<module>',
      about: 'answers by this handler, not by the configured one',
    },
    values: { type: 'boolean', about: 'shows what was used, as the event has it' },
    stage: STAGE,
  },
  example: 'response.txt --metadata idp.xml',
  found: 'a problem was found',
} as const satisfies Command;

const COLOURS = { problem: 'red', warning: 'yellow', note: 'dim' } as const;

type Values = Arguments<typeof COMMAND.options>['values'];

await runCommand(COMMAND, async ({ positionals: [file = ''], values }) => {
  useStage(values.stage);
  const [text, metadata] = await Promise.all([
    file === '-' ? textOf(process.stdin) : readTextFile(file),
    values.metadata === undefined ? undefined : readTextFile(values.metadata),
  ]);
  const environment = (functionName: string) => environmentFor(functionName, values.handler);
  const captures = await readCapture(text, { metadata, environment });
  const hasEvents = captures.some(({ events }) => events !== null);
  const engine = hasEvents ? await openEngine(captures, values) : null;
  try {
    for (const captured of captures) await print(captured, engine, values);
  } finally {
    await engine?.close();
  }
  const isWrong = captures.some(({ findings }) => findings.some(({ level }) => level === 'problem'));
  return isWrong ? 1 : 0;
});

async function openEngine(captures: readonly Captured[], { handler }: Values): Promise<Engine> {
  const configured = captures.map(({ functionName }) => configuredHandler(functionName));
  const handlers = handler === undefined ? [...new Set(configured)] : [handler];
  const engine = await Engine.open({ handlers: handlers.filter((one) => one !== undefined), isAlone: true });
  const [broken] = engine.broken;
  if (broken === undefined) return engine;
  await engine.close();
  throw new UnusableInput(broken.message);
}

async function print(captured: Captured, engine: Engine | null, values: Values): Promise<void> {
  const { kind, where, functionName, events, findings } = captured;
  const title = [kind, where, `for ${functionName}`].filter(Boolean).join(', ');
  console.log(`${styleText('bold', title, { stream: process.stdout })}\n`);
  for (const finding of findings) console.log(`${findingLines(finding)}\n`);
  if (findings.length === 0) console.log('Nothing is wrong with it.\n');
  if (events === null || engine === null) console.log('No event can be made of it.\n');
  else await printAnswer(events[values.form as ServiceForm], functionName, engine, values);
}

function findingLines({ level, code, message, cure }: Finding): string {
  const head = styleText(COLOURS[level], `${level}  ${code}`, { stream: process.stdout });
  return [head, `  ${message}`, ...(cure === null ? [] : [`  ${cure}`])].join('\n');
}

async function printAnswer(
  event: unknown,
  functionName: string,
  engine: Engine,
  values: Values,
): Promise<void> {
  const handler = values.handler ?? configuredHandler(functionName);
  const handlerModule = handler === undefined ? undefined : engine.moduleOf(handler);
  const way = { functionName, handlerModule, isChecked: false, isLive: true };
  const answered = await engine.answer({ ...way, event, moment: momentOf(event), outside: 'live' });
  console.log(
    'How it is answered, at its own time, with the checks of callers, tokens and assertions off:\n',
  );
  const explained = { answered, event, functionName, showsValues: values.values === true };
  console.log(`${explain(explained)}\n`);
  for (const line of failureLines(answered, process.stdout)) console.log(line);
}
