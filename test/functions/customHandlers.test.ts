/** What a handler that an operator configures leaves behind in the process of a function. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { type RunningFunction, running } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent } from '../support/wire.ts';

/** It goes by the person's `sub`. */
const HANDLER = `
  const leaving = {
    rejection: () => void Promise.reject(new Error('SECRET')),
    timer: () => setTimeout(() => { throw new Error('SECRET') }, 1),
  };
  export default async ({ id_token: { sub } }) => {
    leaving[sub]?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
  };`;

let fn: RunningFunction;
beforeAll(async () => {
  const env = { OPENID_HANDLER_MODULE: await customHandler(HANDLER) };
  fn = running(startFunction({ name: 'openidLoggedIn', env }));
});
afterAll(() => fn.stop());

test.each([
  ['rejection', 'unhandled rejection'],
  ['timer', 'uncaught exception'],
])('a %s that nobody waits for fails no login, and is logged without its text', async (sub, kind) => {
  const before = fn.records().length;
  const event = openIdEvent();
  event.idToken.sub = sub;
  for (const one of [event, openIdEvent()])
    expect(await fn.invoke(one)).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada' });
  const strays = fn
    .records()
    .filter((record, index) => index >= before && record.event === 'unhandled_error');
  expect(strays).toEqual([expect.objectContaining({ level: 'ERROR', kind })]);
  expect(fn.output()).not.toContain('SECRET');
});
