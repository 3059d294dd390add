/** A second handler in the built bundle: what it is asked, what is logged of it, and that no login is harmed. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, login, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { PROBE_BUNDLE, PROBE_SDK } from '../support/probeBundle.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const ADA = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
};
const NO = { type: 'ForbiddenResponse', message: 'MARKER-NO' };

/** Does what the claim of its name says: answers with it, throws, waits, or changes what it was given. */
const obeying = (claim: string) => `
  export default (event) => {
    const says = event.id_token.other_claims.${claim};
    event.id_token.other_claims.shadow = { type: 'ErrorResponse', message: 'changed by ${claim}' };
    if (says === 'throw') throw new Error('MARKER-' + event.id_token.sub);
    if (says === 'reject') return Promise.reject(event);
    if (says === 'bristle') {
      const thrower = () => { throw thrown };
      const thrown = new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower });
      throw thrown;
    }
    if (says === 'hang') return new Promise(() => {});
    if (says === 'stray') {
      setTimeout(() => { throw new Error('MARKER-LATE'); }, 5);
      return { type: 'ForbiddenResponse', message: 'MARKER-NO' };
    }
    if (says === 'tokens') {
      const { access_token, refresh_token, id_token_jwt } = event;
      return { type: 'ErrorResponse', message: JSON.stringify({ access_token, refresh_token, id_token_jwt }) };
    }
    return says;
  };`;

const SHADOW_TIMEOUT_MS = 1_000;

async function settings(more: Record<string, string> = {}) {
  return {
    OPENID_HANDLER_MODULE: await customHandler(obeying('real')),
    OPENID_SHADOW_HANDLER_MODULE: await customHandler(obeying('shadow')),
    SHADOW_TIMEOUT_MS: String(SHADOW_TIMEOUT_MS),
    ...more,
  };
}

function eventOf(real: unknown, shadow: unknown) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { real, shadow });
  return event;
}

const ofShadow = ({ event }: Record<string, unknown>) => String(event).startsWith('shadow_');

describe('a login and its shadow', () => {
  let fn: FunctionProcess;
  beforeAll(async () => {
    fn = await startFunction({ name: 'openidLoggedIn', env: await settings(), timeoutMs: 10_000 });
  });
  afterAll(() => fn.stop());

  async function recordOf(event: unknown) {
    const { answer, record, records, output } = await answerOf(fn, event);
    const [shadow] = records.filter((one) => ofShadow(one) && one.requestId === record?.requestId);
    return { answer, record, shadow, output };
  }

  test.each<[string, unknown, unknown, Record<string, unknown>]>([
    ['decides the same', ADA, ADA, { event: 'shadow_same', level: 'INFO' }],
    [
      'would admit',
      NO,
      ADA,
      {
        event: 'shadow_difference',
        level: 'WARN',
        effect: 'would_admit',
        answer: 'ForbiddenResponse',
        reason: 'forbidden',
        shadowAnswer: 'AuthorizedUserResponse',
        shadowReason: 'authorized',
      },
    ],
    ['would refuse', ADA, NO, { event: 'shadow_difference', effect: 'would_refuse' }],
    [
      'gives another profile',
      ADA,
      { ...ADA, last_name: 'King' },
      { event: 'shadow_difference', effect: 'profile_differs', fields: ['last_name'] },
    ],
    [
      'would answer where the handler throws',
      'throw',
      ADA,
      { event: 'shadow_difference', effect: 'would_admit', reason: 'handler_threw' },
    ],
    [
      'would answer where the handler gives nothing usable',
      7,
      ADA,
      { event: 'shadow_difference', effect: 'would_admit', reason: 'answer_invalid' },
    ],
    ['throws', ADA, 'throw', { event: 'shadow_failed', shadowReason: 'handler_threw' }],
    [
      'throws a Proxy that throws itself',
      ADA,
      'bristle',
      { event: 'shadow_failed', shadowReason: 'handler_threw' },
    ],
    ['rejects', ADA, 'reject', { event: 'shadow_failed', shadowReason: 'handler_threw' }],
    ['gives nothing usable', ADA, 7, { event: 'shadow_failed', shadowReason: 'answer_invalid' }],
    ['does not answer', ADA, 'hang', { event: 'shadow_failed', shadowReason: 'handler_timed_out' }],
  ])('the shadow %s', async (_, real, shadow, expected) => {
    const event = eventOf(real, shadow);
    const { answer, record, shadow: logged, output } = await recordOf(event);
    const alone = await login('openidLoggedIn', event, { env: { ...(await settings()), ...NO_SHADOW } });
    expect(withoutReference(answer)).toEqual(withoutReference(alone.answer));
    expect(logged).toMatchObject({
      ...expected,
      function: 'openidLoggedIn',
      handler: record?.handler,
      issuer: record?.issuer,
    });
    expect(output).not.toMatch(/MARKER|ada@|Lovelace/);
  });

  const NO_SHADOW = { SHADOW_UNTIL: '2020-01-31' };

  test('its event is its own: neither handler sees what the other one changed', async () => {
    const { shadow } = await recordOf(eventOf(ADA, ADA));
    expect(shadow).toMatchObject({ event: 'shadow_same' });
  });

  test('what it leaves behind is logged as a shadow’s, and harms no login', async () => {
    await recordOf(eventOf(NO, 'stray'));
    const stray = () => fn.records().find(({ event }) => event === 'unhandled_error');
    while (!stray()) await setTimeout(5);
    expect(stray()).toMatchObject({ isShadow: true });
    const { answer, output } = await recordOf(eventOf(ADA, ADA));
    expect(answer).toMatchObject(ADA);
    expect(output).not.toContain('MARKER-LATE');
  });

  test('a login that is refused before the handler has no shadow', async () => {
    expect((await recordOf({ ...openIdEvent(), tokenType: 7 })).shadow).toBeUndefined();
    expect((await recordOf({ selfTest: true })).shadow).toBeUndefined();
  });

  test('a login over HTTP is compared, not its envelope', async () => {
    expect((await recordOf(overHttp(eventOf(ADA, ADA)))).shadow).toMatchObject({ event: 'shadow_same' });
  });

  test('the login’s own time does not hold the shadow’s', async () => {
    const { record, shadow } = await recordOf(eventOf(ADA, 'hang'));
    expect(shadow).toMatchObject({ event: 'shadow_failed' });
    expect(record?.durationMs).toBeLessThan(SHADOW_TIMEOUT_MS);
  });
});

function withoutReference(answer: Record<string, unknown>) {
  return { ...answer, message: String(answer.message).replace(/ \(Reference: .*/, '') };
}

test('the default handlers may have a shadow, and a mapping’s reason is its own', async () => {
  const env = { SAML_SHADOW_HANDLER_MODULE: 'handlers/staff-group' };
  const { answer, records } = await login('samlLoggedIn', samlEvent(), { env });
  expect(answer).toMatchObject(ADA);
  expect(records).toContainEqual(
    expect.objectContaining({
      event: 'shadow_difference',
      effect: 'would_refuse',
      handler: 'default',
      shadow: 'handlers/staff-group',
      shadowReason: 'issuer_not_listed',
    }),
  );
});

test('an event without the permanent identifier that is asked for is no failure of the shadow', async () => {
  const SAML_SHADOW_HANDLER_MODULE = await customHandler(`export default () => (${JSON.stringify(ADA)})`);
  const env = { SAML_EXTERNAL_ID: 'subject_id', SAML_SHADOW_HANDLER_MODULE };
  const { record, records } = await login('samlLoggedIn', samlEvent(), { env });
  expect(record).toMatchObject({ reason: 'external_id_missing' });
  expect(records.filter(ofShadow)).toEqual([expect.objectContaining({ event: 'shadow_same' })]);
});

test.each([
  [{}, { access_token: '', refresh_token: null }],
  [{ OPENID_SHADOW_ACCESS_TOKEN: 'on' }, { access_token: 'access-token-1', refresh_token: null }],
])('with %j, the shadow gets of the tokens %j', async (more, expected) => {
  const says = (event: string) =>
    `export default (event) => ({ type: 'ErrorResponse', message: JSON.stringify(${event}) })`;
  const OPENID_HANDLER_MODULE = await customHandler(says(JSON.stringify(expected)));
  const shadow = 'const given = ({ access_token, refresh_token }) => ({ access_token, refresh_token });';
  const OPENID_SHADOW_HANDLER_MODULE = await customHandler(`${shadow} ${says('given(event)')}`);
  const env = { OPENID_HANDLER_MODULE, OPENID_SHADOW_HANDLER_MODULE, ...more };
  const { records } = await login('openidLoggedIn', openIdEvent(), { env });
  expect(records.filter(ofShadow)).toEqual([expect.objectContaining({ event: 'shadow_same' })]);
});

test('after five time-outs in a row, it rests', async () => {
  const env = await settings({ SHADOW_TIMEOUT_MS: '10' });
  await withFunction('openidLoggedIn', { env }, async (fn) => {
    for (let logins = 0; logins < 7; logins++) await answerOf(fn, eventOf(ADA, 'hang'));
    const events = fn.records().filter(ofShadow);
    expect(events.slice(0, 5).map(({ event }) => event)).toEqual(Array(5).fill('shadow_failed'));
    expect(events.slice(5)).toEqual([
      expect.objectContaining({ event: 'shadow_skipped', cause: 'resting' }),
      expect.objectContaining({ event: 'shadow_skipped', cause: 'resting' }),
    ]);
  });
});

test('a login that has no time left asks no shadow', async () => {
  const env = await settings();
  await withFunction('openidLoggedIn', { env, timeoutMs: 400 }, async (fn) => {
    await answerOf(fn, eventOf(ADA, ADA));
    expect(fn.records().filter(ofShadow)).toEqual([
      expect.objectContaining({ event: 'shadow_skipped', cause: 'no_time' }),
    ]);
  });
});

describe('a shadow that cannot be asked is told, and logins go on', () => {
  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    [
      'there is no such module',
      { OPENID_SHADOW_HANDLER_MODULE: 'handlers/none' },
      { shadow: 'handlers/none', reason: 'handler_not_loaded' },
    ],
    [
      'an unusable setting',
      { SHADOW_PERCENT: '0' },
      { shadow: 'undecided', problems: ['SHADOW_PERCENT: expected a whole number from 1 to 100'] },
    ],
    [
      'an empty name',
      { OPENID_SHADOW_HANDLER_MODULE: '' },
      { shadow: 'undecided', reason: 'configuration_unusable' },
    ],
    [
      'a mapping of the other kind',
      { OPENID_SHADOW_HANDLER_MODULE: 'handlers/renamed-attributes' },
      {
        reason: 'handler_not_loaded',
        problem: expect.stringContaining('expected a handler of OpenID logins'),
      },
    ],
  ])('%s', async (_, more, expected) => {
    const env = { ...(await settings()), ...more };
    const { answer, records } = await login('openidLoggedIn', eventOf(ADA, ADA), { env });
    expect(answer).toMatchObject(ADA);
    expect(records.find(({ event }) => event === 'shadow_not_loaded')).toMatchObject({
      level: 'ERROR',
      function: 'openidLoggedIn',
      ...expected,
    });
    const report = await login('openidLoggedIn', { selfTest: true }, { env });
    expect(report.answer).toMatchObject({ ok: true, shadow: { loaded: false } });
  });

  test('one that throws or never finishes while it loads', async () => {
    for (const source of ['throw new Error("while loading")', 'await new Promise(() => {})']) {
      const env = await settings({ OPENID_SHADOW_HANDLER_MODULE: await customHandler(source) });
      const { answer, records } = await login('openidLoggedIn', eventOf(ADA, ADA), { env });
      expect(answer).toMatchObject(ADA);
      expect(records.map(({ event }) => event)).toEqual(['cold_start', 'shadow_not_loaded', 'login']);
    }
  });

  test('one that is loaded is named at cold start and by the self-test', async () => {
    const env = await settings();
    const { answer, records } = await login('openidLoggedIn', { selfTest: true }, { env });
    const source = env.OPENID_SHADOW_HANDLER_MODULE;
    expect(records[0]).toMatchObject({ event: 'cold_start', shadow: source });
    expect(answer).toMatchObject({ ok: true, shadow: { source, loaded: true } });
  });
});

const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

test.each([
  [dayFromNow(-1), 0],
  [dayFromNow(1), 1],
])('SHADOW_UNTIL=%s is its last day', async (SHADOW_UNTIL, asked) => {
  const env = await settings({ SHADOW_UNTIL });
  const { records } = await login('openidLoggedIn', eventOf(ADA, ADA), { env });
  expect(records.filter(ofShadow)).toHaveLength(asked);
  const source = env.OPENID_SHADOW_HANDLER_MODULE;
  expect(records[0]).toMatchObject(asked === 0 ? { shadowOver: source } : { shadow: source });
});

test('at level DEBUG, the log has what the shadow threw and how its mapping decided', async () => {
  const env = { ...(await settings()), AWS_LAMBDA_LOG_LEVEL: 'DEBUG' };
  const threw = await login('openidLoggedIn', eventOf(ADA, 'throw'), { env });
  expect(threw.records).toContainEqual(
    expect.objectContaining({ event: 'shadow_error_message', message: 'MARKER-subject-1' }),
  );
  const mapped = { ...env, OPENID_SHADOW_HANDLER_MODULE: 'handlers/email-domain' };
  const { records } = await login('openidLoggedIn', eventOf(ADA, null), { env: mapped });
  expect(records).toContainEqual(
    expect.objectContaining({ event: 'shadow_trace', trace: expect.objectContaining({ rule: 'issuers' }) }),
  );
});

describe('a mapping as the shadow of the default handler', () => {
  test.each([
    ['a claim that is another', { claim: 'department', is: ['chemistry'] }, 'rule_refused'],
    ['a claim that is absent', { claim: 'division', present: true }, 'rule_refused'],
    ['assurance that the provider does not say', { assurance: { acr: ['mfa'] } }, 'assurance_unknown'],
  ])('would refuse for %s', async (_, rule, shadowReason) => {
    const mapping = JSON.stringify({ rules: [rule] });
    const source = `import { mapOpenIdLogin } from '${PROBE_SDK}'; export default mapOpenIdLogin(${mapping});`;
    const event = openIdEvent();
    Object.assign(event.idToken.otherClaims, { department: 'physics' });
    const env = { OPENID_SHADOW_HANDLER_MODULE: await customHandler(source) };
    const { answer, records } = await login('openidLoggedIn', event, { root: PROBE_BUNDLE.outdir, env });
    expect(answer.type).toBe('AuthorizedUserResponse');
    expect(records.find(ofShadow)).toMatchObject({ effect: 'would_refuse', shadowReason });
  });
});
