/** About which logins a shadow is asked, what it is given, and what is logged of it. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { abortSignal, currentInvocation, type Invocation, isInShadow } from '../../lib/deadline.ts';
import type { LoginFunction } from '../../lib/login/coldStart.ts';
import type { LoginHandler } from '../../lib/login/handlerModule.ts';
import { createLog } from '../../lib/login/log.ts';
import type { ExternalId, Middleware } from '../../lib/login/login.ts';
import { respond } from '../../lib/login/respond.ts';
import { handleOpenIdUserLoggedIn } from '../../lib/openid/kind.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { readConfiguration } from '../../lib/settings.ts';
import { useShadow } from '../../lib/shadow/shadow.ts';
import { loginThrough } from '../support/oneLogin.ts';
import { openIdEvent } from '../support/wire.ts';

const ADA = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
};
const NO = { type: 'ForbiddenResponse', message: 'SECRET' };
const ISSUER = 'https://idp.example.org';

type LogRecord = Record<string, unknown>;

let records: LogRecord[] = [];
beforeEach(() => {
  records = [];
  for (const level of ['debug', 'info', 'warn'] as const)
    jest.spyOn(console, level).mockImplementation((line) => {
      records.push(JSON.parse(String(line)));
    });
});
afterEach(() => {
  jest.restoreAllMocks();
});

interface Shadowed {
  env?: Record<string, string>;
  isMultiConcurrent?: boolean;
  level?: 'INFO' | 'DEBUG';
  /** Of the event. */
  externalId?: ExternalId | null;
  /** Right before the event is copied. */
  before?: Middleware[];
  isAnswered?: boolean;
}

type LoginOptions = Parameters<typeof loginThrough>[2];

/** A function with this shadow: each call is one login. */
async function shadowed(
  shadow: LoginHandler,
  {
    env = {},
    isMultiConcurrent = false,
    level = 'INFO',
    externalId = null,
    before = [],
    isAnswered = true,
  }: Shadowed = {},
) {
  const inForce = { OPENID_SHADOW_HANDLER_MODULE: 'handlers/next', SHADOW_TIMEOUT_MS: '60000' };
  const { settings, shadowProblems } = readConfiguration('OpenID', { ...inForce, ...env });
  expect(shadowProblems).toEqual([]);
  const log = createLog({ level, isJson: false });
  const fn: Partial<LoginFunction> = {
    ...{ name: 'openidLoggedIn', settings, log, handlerSource: 'default', isMultiConcurrent, watchdog: null },
    shadow: { source: 'handlers/next', handler: shadow, failure: null, isOver: false },
  };
  const { copyEvent, compare } = await useShadow(fn as LoginFunction);
  const known: Middleware = {
    before({ context: { login } }) {
      Object.assign(login, { issuer: ISSUER, externalId });
      return undefined;
    },
  };
  const response = isAnswered ? [respond(settings)] : [];
  return (real: (event: unknown) => unknown, options: LoginOptions = {}, event: unknown = eventOf()) =>
    loginThrough([...compare, ...response, known, ...before, ...copyEvent], event, {
      requestId: 'r-1',
      ...options,
      handler: real,
    });
}

const eventOf = () => v.parse(OpenIdUserLoggedInEvent, openIdEvent());
const throws = (thrown: unknown) => () => {
  throw thrown;
};
const causes = () => records.map(({ event, cause, shadowReason }) => cause ?? shadowReason ?? event);

const RECORD = {
  requestId: 'r-1',
  function: 'openidLoggedIn',
  handler: 'default',
  shadow: 'handlers/next',
  issuer: ISSUER,
};
const shadowMs = expect.any(Number);

describe('the record', () => {
  test.each<[string, () => unknown, () => unknown, LogRecord]>([
    ['the same', () => ADA, () => ADA, { level: 'INFO', event: 'shadow_same', shadowMs }],
    [
      'another profile',
      () => ADA,
      () => ({ ...ADA, last_name: 'King' }),
      {
        ...{ level: 'WARN', event: 'shadow_difference', effect: 'profile_differs', fields: ['last_name'] },
        ...{
          answer: ADA.type,
          reason: 'authorized',
          shadowAnswer: ADA.type,
          shadowReason: 'authorized',
          shadowMs,
        },
      },
    ],
    [
      'a profile in the place of an error',
      throws(new Error('SECRET')),
      () => ADA,
      {
        ...{ level: 'WARN', event: 'shadow_difference', effect: 'would_admit', fields: [] },
        ...{ answer: 'ErrorResponse', reason: 'internal_error' },
        ...{ shadowAnswer: ADA.type, shadowReason: 'authorized', shadowMs },
      },
    ],
    [
      'an error that it throws',
      () => ADA,
      throws(new RangeError('SECRET')),
      {
        ...{ level: 'WARN', event: 'shadow_failed', shadowReason: 'handler_threw' },
        error: { class: 'RangeError', frames: expect.any(Array) },
      },
    ],
    [
      'a response that is none',
      () => ADA,
      () => 7,
      {
        ...{ level: 'WARN', event: 'shadow_failed', shadowReason: 'answer_invalid' },
        problems: [expect.stringMatching(/found number$/)],
      },
    ],
  ])('of %s', async (_, real, shadow, expected) => {
    await (await shadowed(shadow))(real);
    expect(records).toEqual([{ ...RECORD, ...expected }]);
    expect(JSON.stringify(records)).not.toMatch(/SECRET|ada@|Lovelace|King/);
  });

  test('has the time that the shadow took, in milliseconds, to a hundredth', async () => {
    const clock = jest.spyOn(process, 'uptime').mockReturnValue(100);
    const shadow = () => {
      clock.mockReturnValue(100.012_345_6);
      return ADA;
    };
    await (await shadowed(shadow))(() => ADA);
    expect(records).toMatchObject([{ shadowMs: 12.35 }]);
  });

  test('of level DEBUG has the message that was thrown, and the trace of a decision', async () => {
    const asked = async (shadow: LoginHandler) => (await shadowed(shadow, { level: 'DEBUG' }))(() => NO);
    await asked(throws(new Error('SECRET')));
    expect(records.at(-1)).toEqual({
      ...{ ...RECORD, level: 'DEBUG', event: 'shadow_error_message', message: 'SECRET' },
    });
    await asked((event) => handleOpenIdUserLoggedIn(event as OpenIdUserLoggedInEvent));
    expect(records.at(-1)).toMatchObject({
      ...{ ...RECORD, level: 'DEBUG', event: 'shadow_trace', trace: { fields: expect.any(Object) } },
    });
    records = [];
    await asked(() => ADA);
    await asked(() => 7);
    expect(records.map(({ event }) => event)).toEqual(['shadow_difference', 'shadow_failed']);
  });

  test('of a login without any outcome is that of an error', async () => {
    await (await shadowed(() => ADA, { isAnswered: false }))(() => ADA);
    expect(records).toMatchObject([
      { event: 'shadow_difference', answer: 'ErrorResponse', reason: 'internal_error' },
    ]);
  });
});

test('the login is answered as without a shadow', async () => {
  for (const shadow of [() => NO, throws('x'), () => new Promise(() => {})]) {
    const { response } = await (await shadowed(shadow, { env: { SHADOW_TIMEOUT_MS: '10' } }))(() => ADA);
    expect(response).toMatchObject(ADA);
  }
});

describe('an identifier that a setting names', () => {
  test('is part of what is compared', async () => {
    const own = { ...ADA, external_id: 'a-1' };
    await (await shadowed(() => own, { externalId: { source: 'sub', value: 'a-1' } }))(() => ADA);
    expect(records).toMatchObject([{ event: 'shadow_same' }]);
  });

  test('and that the event does not have is no failure of the shadow', async () => {
    await (await shadowed(() => ADA, { externalId: { source: 'sub', value: null } }))(() => ADA);
    expect(records).toMatchObject([{ event: 'shadow_same' }]);
    records = [];
    await (await shadowed(() => ADA, { externalId: { source: 'sub', value: null } }))(() => NO);
    expect(records).toMatchObject([
      {
        effect: 'refusal_differs',
        fields: ['message'],
        shadowAnswer: 'ErrorResponse',
        shadowReason: 'external_id_missing',
      },
    ]);
  });
});

describe('its event', () => {
  async function given(env: Record<string, string>, event: unknown): Promise<unknown> {
    let seen: unknown;
    const ask = await shadowed(
      (one) => {
        seen = one;
        return ADA;
      },
      { env },
    );
    await ask(
      (one) => {
        Object.assign((one as OpenIdUserLoggedInEvent).id_token ?? {}, { sub: 'changed' });
        return ADA;
      },
      {},
      event,
    );
    return seen;
  }

  test.each<[Record<string, string>, string]>([
    [{}, ''],
    [{ OPENID_SHADOW_ACCESS_TOKEN: 'off' }, ''],
    [{ OPENID_SHADOW_ACCESS_TOKEN: 'on' }, 'access-token-1'],
  ])('is its own, with %j without tokens that open other systems', async (env, access_token) => {
    expect(await given(env, eventOf())).toEqual({ ...eventOf(), access_token, refresh_token: null });
  });

  test('of a SAML login has no token', async () => {
    const event = { assertion: { issuer: 'x' } };
    expect(await given({}, event)).toEqual(event);
  });

  test('that cannot be copied is not asked about', async () => {
    const unclonable: Middleware = {
      before(request) {
        request.event = { read: () => {} };
        return undefined;
      },
    };
    const { response } = await (await shadowed(() => ADA, { before: [unclonable] }))(() => ADA);
    expect(response).toMatchObject(ADA);
    expect(records).toEqual([
      { ...RECORD, level: 'INFO', event: 'shadow_skipped', cause: 'event_not_copied' },
    ]);
  });
});

describe('it is asked', () => {
  test.each([
    ['30', 0.2999, 1],
    ['30', 0.3, 0],
    ['100', 0.9999, 1],
    ['1', 0, 1],
  ])('with SHADOW_PERCENT=%s and %p drawn, %i times', async (SHADOW_PERCENT, drawn, times) => {
    const ask = await shadowed(() => ADA, { env: { SHADOW_PERCENT } });
    jest.spyOn(Math, 'random').mockReturnValue(drawn);
    await ask(() => ADA);
    expect(records).toHaveLength(times);
  });

  test.each([
    [-1, 1],
    [0, 0],
    [1, 0],
  ])('%i ms after its last day, %i times', async (ms, times) => {
    const ask = await shadowed(() => ADA, { env: { SHADOW_UNTIL: '2026-11-30' } });
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T00:00:00Z') + ms);
    await ask(() => ADA);
    expect(records).toHaveLength(times);
  });

  test('of no login that is refused before the handler', async () => {
    const before = [{ before: throws(new Error('refused')) }];
    await (await shadowed(() => ADA, { before }))(() => ADA);
    expect(records).toEqual([]);
  });

  test('not without time', async () => {
    await (await shadowed(() => ADA))(() => ADA, { invocationMs: 501 });
    expect(causes()).toEqual(['no_time']);
  });

  test('as a shadow, in the login’s time or its own, and its invocation ends with it', async () => {
    const seen: Invocation[] = [];
    const signals: AbortSignal[] = [];
    const ask = await shadowed(
      () => {
        const invocation = currentInvocation();
        if (invocation && isInShadow()) seen.push(invocation);
        signals.push(abortSignal());
        return new Promise(() => {});
      },
      { env: { SHADOW_TIMEOUT_MS: '20' } },
    );
    await ask(() => ADA);
    await ask(() => ADA, { handlerTimeoutMs: 10 });
    expect(seen.map(({ requestId, isShadow, isOver }) => [requestId, isShadow, isOver])).toEqual([
      ['r-1', true, true],
      ['r-1', true, true],
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(causes()).toEqual(['handler_timed_out', 'handler_timed_out']);
  });

  test('no more for a while after five time-outs in a row, which any other end interrupts', async () => {
    const hang = () => new Promise(() => {});
    const ends = [
      hang,
      hang,
      hang,
      hang,
      throws('x'),
      hang,
      hang,
      hang,
      hang,
      () => ADA,
      hang,
      hang,
      hang,
      hang,
      hang,
    ];
    let count = 0;
    const ask = await shadowed(() => ends[count++]?.(), { env: { SHADOW_TIMEOUT_MS: '3' } });
    for (let logins = 0; logins <= ends.length; logins++) await ask(() => ADA);
    expect(causes()).toEqual([
      ...ends.map((end) => (end === hang ? 'handler_timed_out' : expect.stringMatching(/threw|same/))),
      'resting',
    ]);
  });
});

describe('where several logins run at the same time', () => {
  /** Shadows that wait until `answer` is called. */
  async function waiting(isMultiConcurrent: boolean) {
    const { promise, resolve } = Promise.withResolvers<object>();
    let count = 0;
    const shadow = () => {
      count += 1;
      return promise;
    };
    const ask = await shadowed(shadow, { isMultiConcurrent });
    return { ask, answer: () => resolve(ADA), count: () => count };
  }

  const recorded = async (count: number) => {
    while (records.length < count) await turn();
  };

  test('no answer waits for the shadow', async () => {
    const { ask, answer } = await waiting(true);
    await ask(() => ADA);
    expect(records).toEqual([]);
    answer();
    await recorded(1);
    expect(causes()).toEqual(['shadow_same']);
  });

  test('eight shadows may wait', async () => {
    const { ask, answer } = await waiting(true);
    await Promise.all(Array.from({ length: 9 }, () => ask(() => ADA)));
    expect(causes()).toEqual(['busy']);
    // The event is not copied for a shadow that will not be asked.
    await ask(() => ADA, {}, { read: () => {} });
    expect(causes()).toEqual(['busy', 'busy']);
    answer();
    await recorded(10);
    await ask(() => ADA);
    await recorded(11);
    expect(causes().slice(2)).toEqual(Array(9).fill('shadow_same'));
  });

  test('elsewhere they wait for no place', async () => {
    const { ask, answer, count } = await waiting(false);
    const logins = Array.from({ length: 9 }, () => ask(() => ADA));
    while (count() < logins.length) await turn();
    answer();
    await Promise.all(logins);
    expect(causes()).toEqual(Array(9).fill('shadow_same'));
  });
});

test.each([null, { source: 'handlers/next', handler: null, failure: null, isOver: true }])(
  'where none is loaded, a login has no place for one: %j',
  async (shadow) => {
    expect(await useShadow({ shadow } as LoginFunction)).toEqual({ copyEvent: [], compare: [] });
  },
);
