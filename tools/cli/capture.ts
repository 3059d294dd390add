/**
 * `npm run capture`: reads what was caught of a login, in a browser's developer tools or in a log. Prints each login in it, what
 * is wrong with it, and how the function answers it. Exit code 1 where there is a problem.
 */
import { text as textOf } from 'node:stream/consumers';
import type { Captured } from '../capture/captured.ts';
import { readCapture } from '../capture/readCapture.ts';
import { Engine } from '../engine/engine.ts';
import { configuredHandler, environmentFor, useStage } from '../engine/environment.ts';
import { type AnsweredCapture, printCapture } from './captureReport.ts';
import {
  type Arguments,
  type Command,
  readTextFile,
  runCommand,
  STAGE,
  UnusableInput,
} from './commandLine.ts';
import { keepLogin } from './keepLogin.ts';

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
    keep: {
      type: 'string',
      value: '<name>',
      about: 'keeps the login as a sample without the person: shows which texts of it stay',
    },
    yes: { type: 'boolean', about: 'writes what --keep shows' },
    stage: STAGE,
  },
  example: 'response.txt --metadata idp.xml',
  found: 'a problem was found, or something stands in the way of --keep',
} as const satisfies Command;

type Values = Arguments<typeof COMMAND.options>['values'];

await runCommand(COMMAND, async ({ positionals: [file = ''], values }) => {
  useStage(values.stage);
  if (values.yes && values.keep === undefined) throw new UnusableInput('expected --keep <name> with --yes');
  const [text, metadata] = await Promise.all([
    file === '-' ? textOf(process.stdin) : readTextFile(file),
    values.metadata === undefined ? undefined : readTextFile(values.metadata),
  ]);
  const environment = (functionName: string) => environmentFor(functionName, values.handler);
  const captures = await readCapture(text, { metadata, environment });
  const engine = captures.some(({ events }) => events !== null) ? await openEngine(captures, values) : null;
  try {
    const logins: AnsweredCapture[] = [];
    for (const captured of captures) logins.push(...(await printCapture(captured, engine, values)));
    const isKept = values.keep === undefined || (await keep(logins, values.keep, values.yes === true));
    const isWrong = captures.some(({ findings }) => findings.some(({ level }) => level === 'problem'));
    return isWrong || !isKept ? 1 : 0;
  } finally {
    await engine?.close();
  }
});

function keep(logins: readonly AnsweredCapture[], name: string, isConfirmed: boolean): Promise<boolean> {
  const [login, ...others] = logins;
  if (login && others.length === 0) return keepLogin({ ...login, name }, isConfirmed);
  throw new UnusableInput(`--keep: expected one login with an event, found ${logins.length}`);
}

async function openEngine(captures: readonly Captured[], { handler }: Values): Promise<Engine> {
  const configured = captures.map(({ functionName }) => configuredHandler(functionName));
  const handlers = handler === undefined ? [...new Set(configured)] : [handler];
  const engine = await Engine.open({ handlers: handlers.filter((one) => one !== undefined), isAlone: true });
  const [broken] = engine.broken;
  if (broken === undefined) return engine;
  await engine.close();
  throw new UnusableInput(broken.message);
}
