/** What a handler that an operator configures leaves behind in the process of a function. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { type RunningFunction, running } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent } from '../support/wire.ts';

const FLOATING: [what: string, body: string, kind: string][] = [
  ['a promise that rejects', `void Promise.reject(new Error('SECRET'))`, 'unhandled rejection'],
  ['a timer that throws', `setTimeout(() => { throw new Error('SECRET') }, 1)`, 'uncaught exception'],
];

/** One process for all of them, which go by the person's `sub`. */
let fn: RunningFunction;
beforeAll(async () => {
  const source = `
    const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
    const behaviours = [${FLOATING.map(([, body]) => `() => { ${body} }`).join()}];
    export default async ({ id_token: { sub } }) => {
      behaviours[sub]?.();
      await soon();
      return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
    };`;
  fn = running(
    startFunction({
      name: 'openidLoggedIn',
      env: { OPENID_HANDLER_MODULE: await customHandler(source) },
    }),
  );
});
afterAll(() => fn.stop());

test.each(FLOATING.map(([what, , kind], index) => ({ what, kind, index })))(
  '$what fails no login, and is logged without its text',
  async ({ kind, index }) => {
    const before = fn.records().length;
    const event = openIdEvent();
    event.idToken.sub = String(index);
    for (const one of [event, openIdEvent()])
      expect(await fn.invoke(one)).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada' });
    const strays = fn
      .records()
      .slice(before)
      .filter((record) => record.event === 'unhandled_error');
    expect(strays).toEqual([expect.objectContaining({ level: 'ERROR', kind })]);
    expect(fn.output()).not.toContain('SECRET');
  },
);
