/** Handlers that an operator configures: those that work, and all the ways in which one may misbehave. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleEvent } from '../../tools/local/events.ts';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, type FunctionName, login, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const ADA = `{ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' }`;
const AUTHORIZED = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  image_url: null,
  user_group_uuids: [],
};
/** Whatever is asked of it, it throws itself. */
const BRISTLING = `(() => {
  const thrower = () => { throw thrown };
  const thrown = new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower });
  return thrown;
})()`;
const withModule = (module: string) => ({ OPENID_HANDLER_MODULE: module });

/** In characters: whatever a handler does, a record stays readable. */
const MAX_LOG_LINE = 10_000;

test.each<[FunctionName, string, string]>([
  [
    'openidLoggedIn',
    'handlers/renamed-attributes',
    'make it with mapOpenIdLogin, or set it in SAML_HANDLER_MODULE',
  ],
  ['samlLoggedIn', 'handlers/email-domain', 'make it with mapSamlLogin, or set it in OPENID_HANDLER_MODULE'],
])('%s does not load a mapping of the other kind', async (name, module, cure) => {
  const env = { OPENID_HANDLER_MODULE: module, SAML_HANDLER_MODULE: module };
  const event = name === 'openidLoggedIn' ? openIdEvent() : samlEvent();
  const { record, records } = await login(name, event, { env });
  expect(record?.reason).toBe('handler_not_loaded');
  expect(records[0]).toMatchObject({ event: 'cold_start', problem: expect.stringContaining(cure) });
});

describe('a handler is found', () => {
  test.each([
    ['as the default export', '.mjs', `export default () => (${ADA})`],
    ['under the default handler’s name', '.mjs', `export const handleOpenIdUserLoggedIn = () => (${ADA})`],
    ['where it is async', '.mjs', `export default async () => (${ADA})`],
    ['in CommonJS', '.cjs', `module.exports = () => (${ADA})`],
    ['in CommonJS under its name', '.cjs', `exports.handleOpenIdUserLoggedIn = () => (${ADA})`],
    [
      'in CommonJS made from an ES module',
      '.cjs',
      `exports.__esModule = true; exports.default = () => (${ADA})`,
    ],
    [
      'in CommonJS as an object',
      '.cjs',
      `module.exports = { ...{ handleOpenIdUserLoggedIn: () => (${ADA}) } }`,
    ],
    ['with a default parameter', '.mjs', `export default (event = {}) => (${ADA})`],
    ['with rest parameters', '.mjs', `export default (...events) => (${ADA})`],
    ['without a parameter', '.mjs', `export default function () { return ${ADA}; }`],
    [
      'where another export is no function',
      '.mjs',
      `export default 7; export const handleOpenIdUserLoggedIn = () => (${ADA})`,
    ],
  ])('%s', async (_, extension, source) => {
    const module = await customHandler(source, extension);
    for (const name of [module, module.slice(0, -extension.length)]) {
      const { answer, records } = await login('openidLoggedIn', openIdEvent(), { env: withModule(name) });
      expect(answer).toMatchObject(AUTHORIZED);
      expect(records.at(-1)).toMatchObject({ reason: 'authorized', handler: name });
    }
  });

  test.each([
    'handlers/staff-group',
    './handlers/staff-group',
    'handlers/staff-group.mjs',
    'handlers/staff-group.ts',
  ])('relative to the bundle’s root: %s', async (name) => {
    const event = await sampleEvent('samlLoggedIn', 'keycloak-staff');
    const { record } = await login('samlLoggedIn', event, { env: { SAML_HANDLER_MODULE: name } });
    expect(record).toMatchObject({ reason: 'authorized', handler: name });
  });

  test('and is called with exactly one argument, the event under its attribute names', async () => {
    const source = `export default (...all) => ({ type: 'ErrorResponse', message: JSON.stringify(all) })`;
    const { answer } = await login('openidLoggedIn', openIdEvent(), {
      env: withModule(await customHandler(source)),
    });
    const [event, ...others] = JSON.parse(answer.message as string);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      access_token: 'access-token-1',
      id_token: { aud: ['client-1'], other_claims: { given_name: 'Ada' } },
      refresh_token: 'refresh-token-1',
    });
  });
});

describe('a module that cannot be used responds to every login with an error, and the log says what to mend', () => {
  // The others do not wait for the one that never finishes loading.
  test.concurrent.each<[string, string, Record<string, unknown>]>([
    ['exports nothing', '', { exports: [], problem: expect.stringContaining('handleOpenIdUserLoggedIn') }],
    ['exports no function', 'export default 7; export const other = 1', { exports: ['default', 'other'] }],
    ['exports it under another name', `export const handler = () => (${ADA})`, { exports: ['handler'] }],
    [
      'takes two arguments',
      `export default (event, context) => (${ADA})`,
      { problem: expect.stringContaining('declares 2') },
    ],
    [
      'throws on load',
      `throw new TypeError('no such region')`,
      { error: expect.stringContaining('TypeError: no such region') },
    ],
    ['throws nothing on load', 'throw undefined', { problem: 'threw while loading' }],
    ['has a syntax error', 'export default (', { error: expect.stringContaining('SyntaxError') }],
    [
      'imports what is not there',
      `import 'no-such-package'`,
      { error: expect.stringContaining('ERR_MODULE_NOT_FOUND') },
    ],
  ])('%s', async (_, source, logged) => {
    const module = await customHandler(source);
    await expectNotLoaded(module, { module, ...logged });
  });

  test.concurrent('never finishes loading', async () => {
    const module = await customHandler('await new Promise(() => {})');
    await expectNotLoaded(module, { problem: 'did not finish loading within 8000 ms' });
  });

  test.concurrent.each([
    'handlers/no-such',
    '/no/such/module.mjs',
    'handlers',
    'node:fs',
    'data:text/javascript,export default 1',
  ])('is not there: %s', async (module) => {
    await expectNotLoaded(module, {
      problem: 'found no such file',
      lookedFor: expect.arrayContaining([expect.stringContaining('/')]),
    });
  });

  async function expectNotLoaded(module: string, logged: Record<string, unknown>) {
    await withFunction('openidLoggedIn', { env: withModule(module) }, async (fn) => {
      expect(await fn.invoke(openIdEvent())).toMatchObject({ type: 'ErrorResponse' });
      expect(await fn.invoke(overHttp(openIdEvent()))).toMatchObject({ statusCode: 500 });
      const [coldStart, ...logins] = fn.records();
      expect(coldStart).toMatchObject({
        level: 'ERROR',
        event: 'cold_start',
        reason: 'handler_not_loaded',
        ...logged,
      });
      for (const record of logins)
        expect(record).toMatchObject({ event: 'login', reason: 'handler_not_loaded' });
    });
  }
});

describe('a handler that misbehaves yields an error, and the next login is answered as ever', () => {
  /** Misbehaves for the person whose `sub` is `bad`, and authorizes anybody else. */
  const misbehaving = (body: string) =>
    `export default function (event) { if (event.id_token.sub !== 'bad') return ${ADA}; ${body} }`;

  const MISBEHAVING: [what: string, body: string, reason: string, status: number][] = [
    ['throws', `throw new Error('SECRET')`, 'handler_threw', 500],
    ['rejects', `return Promise.reject(new Error('SECRET'))`, 'handler_threw', 500],
    ['throws text', `throw 'SECRET'`, 'handler_threw', 500],
    ['throws undefined', 'throw undefined', 'handler_threw', 500],
    ['rejects with null', 'return Promise.reject(null)', 'handler_threw', 500],
    [
      'throws an object with a hostile toString',
      `throw { toString() { throw new Error('SECRET') } }`,
      'handler_threw',
      500,
    ],
    [
      'throws an object with hostile getters',
      `throw { get message() { throw 1 }, get stack() { throw 1 }, get code() { throw 1 } }`,
      'handler_threw',
      500,
    ],
    ['has a then that throws', `return { get then() { throw new Error('SECRET') } }`, 'handler_threw', 500],
    [
      'blocks the process beyond its time',
      `const end = Date.now() + 400; while (Date.now() < end); return ${ADA}`,
      'handler_timed_out',
      504,
    ],
    ['never settles', 'return new Promise(() => {})', 'handler_timed_out', 504],
    ['is a then that never calls back', 'return { then() {} }', 'handler_timed_out', 504],
    ['answers undefined', 'return undefined', 'answer_invalid', 500],
    ['answers null', 'return null', 'answer_invalid', 500],
    ['answers text', `return 'AuthorizedUserResponse'`, 'answer_invalid', 500],
    ['answers true', 'return true', 'answer_invalid', 500],
    ['answers an array', `return [${ADA}]`, 'answer_invalid', 500],
    ['answers an array with fields', `return Object.assign([], ${ADA})`, 'answer_invalid', 500],
    ['answers a function', `return Object.assign(() => {}, ${ADA})`, 'answer_invalid', 500],
    ['answers a wrong type', `return { ...${ADA}, type: 'Authorized' }`, 'answer_invalid', 500],
    ['answers no type', `const { type, ...rest } = ${ADA}; return rest`, 'answer_invalid', 500],
    ['answers without e-mail', `return { ...${ADA}, email: undefined }`, 'answer_invalid', 500],
    ['answers with no address', `return { ...${ADA}, email: 'SECRET' }`, 'answer_invalid', 500],
    ['answers with a bad UUID', `return { ...${ADA}, user_group_uuids: ['SECRET'] }`, 'answer_invalid', 500],
    [
      'answers an endless message',
      `return { type: 'ErrorResponse', message: 'x'.repeat(10_001) }`,
      'answer_invalid',
      500,
    ],
    [
      'answers endless groups',
      `return { ...${ADA}, user_group_uuids: Array(20_001).fill('5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30') }`,
      'answer_invalid',
      500,
    ],
    [
      'throws with an endless stack',
      `throw Object.assign(new Error('x'), { stack: 'Error: x\\n    at ' + 'f'.repeat(1e6) + ':1:1' })`,
      'handler_threw',
      500,
    ],
    ['answers with a number as name', `return { ...${ADA}, first_name: 7 }`, 'answer_invalid', 500],
    [
      'answers in camelCase',
      `return { type: 'AuthorizedUserResponse', firstName: 'A', lastName: 'B', email: 'a@b' }`,
      'answer_invalid',
      500,
    ],
    [
      'answers a getter that throws',
      `return { ...${ADA}, get email() { throw new Error('SECRET') } }`,
      'answer_invalid',
      500,
    ],
    [
      'answers a Proxy that throws',
      `return new Proxy(${ADA}, { get(target, key) { if (key === 'then') return; throw new Error('SECRET') } })`,
      'answer_invalid',
      500,
    ],
    [
      'answers a revoked Proxy',
      `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy`,
      'handler_threw',
      500,
    ],
    [
      'answers a message that is no text',
      `return { type: 'ErrorResponse', message: { toString: () => 'SECRET' } }`,
      'answer_invalid',
      500,
    ],
    ['throws a Proxy that throws itself', `throw ${BRISTLING}`, 'handler_threw', 500],
    ['rejects with such a Proxy', `return Promise.reject(${BRISTLING})`, 'handler_threw', 500],
    [
      'answers such a Proxy',
      `return new Proxy(${ADA}, { ownKeys() { throw ${BRISTLING} } })`,
      'answer_invalid',
      500,
    ],
    ['is a generator', `return (function* () { yield ${ADA} })()`, 'answer_invalid', 500],
    ['answers a promise of a function', `return Promise.resolve(() => (${ADA}))`, 'answer_invalid', 500],
  ];
  /** One process for all of them, which go by the person's `sub`. */
  let fn: FunctionProcess;
  beforeAll(async () => {
    const source = `
      const behaviours = [${MISBEHAVING.map(([, body]) => `() => { ${body} }`).join()}];
      export default ({ id_token }) => (behaviours[id_token.sub] ?? (() => (${ADA})))();`;
    const env = { ...withModule(await customHandler(source)), HANDLER_TIMEOUT_MS: '300' };
    fn = await startFunction({ name: 'openidLoggedIn', env });
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
      for (const line of fn.output().split('\n')) expect(line.length).toBeLessThan(MAX_LOG_LINE);
    },
  );

  test.each([
    ['a promise that rejects', `void Promise.reject(new Error('SECRET'))`, 'unhandled rejection'],
    ['a promise that rejects with nothing', 'void Promise.reject()', 'unhandled rejection'],
    ['a promise that rejects with a Proxy', `void Promise.reject(${BRISTLING})`, 'unhandled rejection'],
    ['a timer that throws', `setTimeout(() => { throw new Error('SECRET') }, 1)`, 'uncaught exception'],
    [
      'an emitter without listener',
      `setImmediate(() => process.getBuiltinModule('events').EventEmitter.prototype.emit.call(new (process.getBuiltinModule('events'))(), 'error', new Error('SECRET')))`,
      'uncaught exception',
    ],
  ])('leaves floating %s', async (_, body, kind) => {
    const source = `export default async function (event) {
      if (event.id_token.sub === 'bad') { ${body}; await new Promise((resolve) => setTimeout(resolve, 20)); }
      return ${ADA};
    }`;
    await withFunction('openidLoggedIn', { env: withModule(await customHandler(source)) }, async (fn) => {
      expect(await fn.invoke(badEvent())).toMatchObject(AUTHORIZED);
      expect(await fn.invoke(openIdEvent())).toMatchObject(AUTHORIZED);
      const strays = fn.records().filter(({ event }) => event === 'unhandled_error');
      expect(strays).toEqual([expect.objectContaining({ level: 'ERROR', kind })]);
      expect(fn.output()).not.toContain('SECRET');
    });
  });

  test('answers too late: the late answer is dropped', async () => {
    const late = `return new Promise((resolve) => setTimeout(() => resolve(${ADA}), 400))`;
    const env = { ...withModule(await customHandler(misbehaving(late))), HANDLER_TIMEOUT_MS: '200' };
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      expect(await fn.invoke(badEvent(), 'late')).toMatchObject({ type: 'ErrorResponse' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await fn.invoke(openIdEvent(), 'next')).toMatchObject(AUTHORIZED);
      const logins = fn.records().filter(({ event }) => event === 'login');
      expect(logins.map(({ requestId, reason }) => [requestId, reason])).toEqual([
        ['late', 'handler_timed_out'],
        ['next', 'authorized'],
      ]);
    });
  });

  test('is stopped 500 ms before the invocation’s own time-out', async () => {
    const env = withModule(await customHandler('export default () => new Promise(() => {})'));
    const { answer, records } = await login('openidLoggedIn', openIdEvent(), { env, timeoutMs: 900 });
    expect(answer.type).toBe('ErrorResponse');
    expect(records.at(-1)?.durationMs).toBeGreaterThan(200);
    expect(records.at(-1)?.durationMs).toBeLessThan(500);
  });

  test('changes its event: nothing else changes', async () => {
    const source = `export default (event) => {
      const { email } = event.id_token.other_claims;
      for (const key of Object.keys(event.id_token.other_claims)) event.id_token.other_claims[key] = 'changed@example.org';
      event.id_token.iss = 'changed'; delete event.access_token;
      return { ...${ADA}, email };
    }`;
    await withFunction('openidLoggedIn', { env: withModule(await customHandler(source)) }, async (fn) => {
      for (let login = 0; login < 2; login++) {
        expect(await fn.invoke(openIdEvent())).toMatchObject({ email: 'ada@example.org' });
        expect(fn.records().at(-1)).toMatchObject({ issuer: 'https://idp.example.org' });
      }
    });
  });
});

test('a loop that never yields is ended by the invocation’s own time-out', async () => {
  const env = withModule(await customHandler('export default () => { for (;;); }'));
  await expect(login('openidLoggedIn', openIdEvent(), { env, timeoutMs: 100 })).rejects.toMatchObject({
    kind: 'time-out',
  });
});

function badEvent(sub = 'bad') {
  const event = openIdEvent();
  event.idToken.sub = sub;
  return event;
}
