/**
 * `npm run capture`: reads what was caught of a login, in a browser's developer tools or in the service. Prints each login in it, what is wrong with it, and how the function answers it. Exit code 1 where there is an
 * error.
 */
import { text as textOf } from 'node:stream/consumers';
import type { Captured } from '../capture/captured.ts';
import { readCapture } from '../capture/readCapture.ts';
import { Engine } from '../local/engine.ts';
import { type Arguments, readTextFile, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { type AnsweredCapture, printCapture } from './captureReport.ts';
import { keepLogin } from './keepLogin.ts';
import { expectHandlers } from './samples.ts';

export const COMMAND = {
  name: 'capture',
  purpose: 'reads a captured login: what is wrong with it, and the response',
  positionals: [
    {
      name: '<file>',
      about: 'a SAMLResponse, tokens, a recording of the browser or an event; - reads stdin',
    },
  ],
  options: {
    metadata: {
      type: 'string',
      value: '<file>',
      about: 'the SAML metadata of the provider, to check signatures',
    },
    handler: {
      type: 'string',
      value: '<module>',
      about: 'uses this handler instead of the configured one',
    },
    values: { type: 'boolean', about: 'shows the values that the handler used' },
    keep: {
      type: 'string',
      value: '<name>',
      about: 'plans a sample of the login without the person: shows which texts stay',
    },
    yes: { type: 'boolean', about: 'writes the sample of --keep' },
    stage: STAGE,
  },
  example: 'response.txt --metadata idp.xml',
  found:
    'there is an error, no event can be made of the login, it is not authorized, or --keep is not possible',
} as const satisfies Command;

type Values = Arguments<typeof COMMAND.options>['values'];

export async function main({
  positionals: [source = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const stage = new Stage(values.stage);
  if (values.yes && values.keep === undefined) throw new UnusableInput('expected --keep <name> with --yes');
  const captures = await capturesOf(source, stage, values);
  const engine = captures.some(({ events }) => events !== null)
    ? await openEngine(captures, stage, values)
    : null;
  try {
    const logins: AnsweredCapture[] = [];
    for (const captured of captures) logins.push(...(await printCapture(captured, engine, values)));
    const isKept = values.keep === undefined || (await keep(logins, values.keep, values.yes === true));
    const isWrong = captures.some(({ findings }) => findings.some(({ level }) => level === 'error'));
    const isUnanswered = captures.some(({ events }) => events === null);
    const isRefused = logins.some(({ isAuthorized }) => !isAuthorized);
    return isWrong || isUnanswered || isRefused || !isKept ? 1 : 0;
  } finally {
    await engine?.close();
  }
}

/** @throws {UnusableInput} */
async function capturesOf(source: string, stage: Stage, values: Values): Promise<Captured[]> {
  const [text, metadata] = await Promise.all([
    source === '-' ? textOf(process.stdin) : readTextFile(source),
    values.metadata === undefined ? undefined : readTextFile(values.metadata),
  ]);
  const environment = (functionName: string) => stage.environmentOf(functionName, values.handler);
  return readCapture(text, { metadata, environment });
}

function keep(logins: readonly AnsweredCapture[], name: string, isConfirmed: boolean): Promise<boolean> {
  const [login, ...others] = logins;
  if (login && others.length === 0) return keepLogin({ ...login, name }, isConfirmed);
  throw new UnusableInput(`--keep: expected one login with an event, found ${logins.length}`);
}

async function openEngine(captures: readonly Captured[], stage: Stage, { handler }: Values): Promise<Engine> {
  const configured = captures.map(({ functionName }) => stage.handlerOf(functionName));
  const handlers = handler === undefined ? [...new Set(configured)] : [handler];
  const engine = await Engine.open({
    stage,
    handlers: handlers.filter((one) => one !== undefined),
    isAlone: true,
  });
  try {
    expectHandlers(engine, [handler]);
    if (engine.broken[0]) throw new UnusableInput(engine.broken[0].message);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
