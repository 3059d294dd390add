/** Handlers that an operator configures, and that misbehave in the process of a function. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, type RunningFunction, running, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const ADA = `{ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' }`;
const AUTHORIZED = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  image_url: null,
  user_group_uuids: [],
};
const withModule = (module: string) => ({ OPENID_HANDLER_MODULE: module });

describe('a handler that misbehaves yields an error, and the next login is answered as ever', () => {
  const MISBEHAVING: [what: string, body: string, reason: string, status: number][] = [
    ['throws', `throw new Error('SECRET')`, 'handler_threw', 500],
    ['never settles', 'return new Promise(() => {})', 'handler_timed_out', 504],
    ['answers with no address', `return { ...${ADA}, email: 'SECRET' }`, 'answer_invalid', 500],
  ];
  const FLOATING: [what: string, body: string, kind: string][] = [
    ['a promise that rejects', `void Promise.reject(new Error('SECRET'))`, 'unhandled rejection'],
    ['a timer that throws', `setTimeout(() => { throw new Error('SECRET') }, 1)`, 'uncaught exception'],
  ];
  /** One process for all of them, which go by the person's `sub`. */
  let fn: RunningFunction;
  beforeAll(async () => {
    const source = `
      const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
      const behaviours = [
        ${MISBEHAVING.map(([, body]) => `() => { ${body} },`).join('')}
        ${FLOATING.map(([, body]) => `async () => { ${body}; await soon(); return ${ADA} },`).join('')}
      ];
      export default ({ id_token }) => (behaviours[id_token.sub] ?? (() => (${ADA})))();`;
    const env = { ...withModule(await customHandler(source)), HANDLER_TIMEOUT_MS: '300' };
    fn = running(startFunction({ name: 'openidLoggedIn', env }));
  });
  afterAll(() => fn.stop());

  test.each(MISBEHAVING.map(([what, , reason, status], index) => ({ what, reason, status, index })))(
    '$what',
    async ({ reason, status, index }) => {
      const bad = badEvent(String(index));
      const { answer, record } = await answerOf(fn, bad);
      expect(answer).toMatchObject({ type: 'ErrorResponse' });
      expect(await fn.invoke(openIdEvent())).toMatchObject(AUTHORIZED);
      expect(await fn.invoke(overHttp(bad))).toMatchObject({ statusCode: status });
      expect(await fn.invoke(overHttp(openIdEvent()))).toMatchObject({ statusCode: 200 });
      expect(record).toMatchObject({ level: 'ERROR', reason, status });
      expect(fn.output()).not.toContain('SECRET');
    },
  );

  test.each(FLOATING.map(([what, , kind], index) => ({ what, kind, index: MISBEHAVING.length + index })))(
    'leaves floating $what',
    async ({ kind, index }) => {
      const before = fn.records().length;
      expect(await fn.invoke(badEvent(String(index)))).toMatchObject(AUTHORIZED);
      expect(await fn.invoke(openIdEvent())).toMatchObject(AUTHORIZED);
      const strays = fn
        .records()
        .slice(before)
        .filter(({ event }) => event === 'unhandled_error');
      expect(strays).toEqual([expect.objectContaining({ level: 'ERROR', kind })]);
      expect(fn.output()).not.toContain('SECRET');
    },
  );

  test('answers too late: the late answer is dropped', async () => {
    const source = `let answer;
      export default ({ id_token: { sub } }) => {
        if (sub === 'bad') return new Promise((resolve) => { answer = resolve; });
        answer(${ADA});
        return ${ADA};
      };`;
    const env = { ...withModule(await customHandler(source)), HANDLER_TIMEOUT_MS: '200' };
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      expect(await fn.invoke(badEvent(), 'late')).toMatchObject({ type: 'ErrorResponse' });
      expect(await fn.invoke(openIdEvent(), 'next')).toMatchObject(AUTHORIZED);
      const logins = fn.records().filter(({ event }) => event === 'login');
      expect(logins.map(({ requestId, reason }) => [requestId, reason])).toEqual([
        ['late', 'handler_timed_out'],
        ['next', 'authorized'],
      ]);
    });
  });
});

function badEvent(sub = 'bad') {
  const event = openIdEvent();
  event.idToken.sub = sub;
  return event;
}
