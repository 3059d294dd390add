/** Plans to keep a login: what would be written, why it cannot be, and the files and the name of a sample. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type KeepOptions,
  type NamedLogin,
  proposedName,
  type SamplePlan,
  writeKept,
} from '../../tools/keep/plan.ts';
import { EVENTS } from '../../tools/local/events.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { attribute, overHttp, samlEvent } from '../support/wire.ts';
import {
  answering,
  byDefault,
  claimsOf,
  eventOf,
  exchange,
  plan as planned,
  Requested,
  type Respond,
} from './answering.ts';

const ADA = { email: 'adaq@quxen.org', given_name: 'Adaq', family_name: 'Lovelaqe' };
const folder = temporaryFolder();
const SETTINGS = ['OPENID_HANDLER_MODULE', 'SAML_HANDLER_MODULE'];
const env = { ...process.env };
beforeEach(() => {
  for (const name of SETTINGS) delete process.env[name];
});
afterEach(() => {
  for (const name of SETTINGS) delete process.env[name];
  Object.assign(process.env, env);
});

type Invocation = Parameters<KeepOptions['engine']['invoke']>[0];

const plan = (respond: Respond, options: Partial<KeepOptions> = {}) =>
  planned(eventOf(ADA), { functionName: 'openidLoggedIn', respond, folder, ...options });
const UUID = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const place = { name: 'zz-1', folder: join(folder, 'openidLoggedIn') };
const nothing = {
  ...{ kept: [], replaced: [], unanswered: [], event: null },
  ...{ expected: null, outside: null, files: [] },
};
const isAda = (event: unknown) => claimsOf(event).given_name === 'Adaq';

describe('a plan', () => {
  test('has all that would be written, and writes nothing', async () => {
    const { event, expected, kept, replaced, ...rest } = await plan(byDefault);
    const file = join(folder, 'openidLoggedIn', 'zz-1');
    const files = [`${file}.json`, `${file}.expected.json`];
    expect(rest).toEqual({ ...place, blockers: [], outside: null, unanswered: [], files });
    const { given_name, family_name, email } = claimsOf(event);
    expect(given_name).not.toBe('Adaq');
    const answer = expect.objectContaining({ first_name: given_name, last_name: family_name, email });
    expect(expected).toStrictEqual({ status: 200, answer });
    const issuer = {
      path: 'idToken.iss',
      text: 'https://idp.example.org',
      why: 'the issuer',
      isStandard: false,
    };
    expect(kept).toContainEqual(issuer);
    expect(replaced).toContainEqual({ path: 'idToken.otherClaims.given_name', text: 'Adaq' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is of the events of the project, where no folder is named', async () => {
    const made = await plan(byDefault, { folder: undefined as never });
    expect(made.folder).toBe(join(EVENTS, 'openidLoggedIn'));
    const files = ['events/openidLoggedIn/zz-1.json', 'events/openidLoggedIn/zz-1.expected.json'];
    expect(made.files).toEqual(files);
  });

  test('has recorded responses that the handler asks for', async () => {
    const recorded = [exchange('GET https://x.org/all', { name: 'Adaq' })];
    const respond: Respond = (_, outside) =>
      outside[0] ? { ...(outside[0].json as object) } : new Requested('GET https://x.org/all');
    const { blockers, outside, files, expected } = await plan(respond, { exchanges: recorded });
    expect(blockers).toEqual([]);
    expect(outside).toEqual([{ ...recorded[0], json: expected?.answer }]);
    const names = files.map((file) => file.slice(file.indexOf('zz-1')));
    expect(names).toEqual(['zz-1.json', 'zz-1.recordings.json', 'zz-1.expected.json']);
  });

  test('is of the event in an HTTP envelope', async () => {
    const { blockers, event } = await plan(byDefault, { event: overHttp(eventOf(ADA)) });
    expect(blockers).toEqual([]);
    expect(Object.keys(event as object)).toEqual(Object.keys(eventOf(ADA)));
  });

  test('is answered by the function and the handler, without checks, at the time of each event', async () => {
    const asked: Invocation[] = [];
    const event = eventOf(ADA);
    const { invoke, ...engineOf } = answering(byDefault);
    const engine: KeepOptions['engine'] = {
      ...engineOf,
      invoke: (invocation) => {
        asked.push(invocation);
        return invoke(invocation);
      },
    };
    const exchanges = [exchange('GET https://x.org/all')];
    const handlerModule = join(PROJECT, 'handlers', 'x.ts');
    const made = await plan(byDefault, { handlerModule, exchanges, event, engine });
    const way = {
      ...{ functionName: 'openidLoggedIn', handlerModule },
      ...{ isChecked: false, hasDefaultResponses: true },
    };
    const first = { ...way, event, requests: exchanges, frozenTime: event.idToken.iat * 1_000 };
    expect(asked[0]).toMatchObject(first);
    const { iat } = (made.event as typeof event).idToken;
    expect(asked.at(-1)).toMatchObject({ ...way, event: made.event, frozenTime: iat * 1_000 });
  });

  test('lists what may be allowed, up to 1,000 texts of 1,000 characters', async () => {
    const groups = Array.from({ length: 1_100 }, (_, index) => `group ${index}`);
    const texts = { nickname: 'q'.repeat(1_000), profile: 'q'.repeat(1_001) };
    const { replaced } = await plan(byDefault, { event: eventOf({ ...texts, groups }) });
    expect(replaced).toHaveLength(1_000);
    expect(replaced).toContainEqual({ path: 'idToken.otherClaims.nickname', text: texts.nickname });
    expect(replaced.map(({ text }) => text)).not.toContain(texts.profile);
  });
});

const OTHER_FOLDER = `${PROJECT.slice(0, -1)}-2/handlers/y.ts`;
const OUTSIDE =
  'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.';

test.each<[string, Partial<KeepOptions>, string | undefined, string | undefined, string[]]>([
  ['is the default handler', {}, undefined, undefined, []],
  [
    'has the name that is given',
    { handlerModule: '/x/y.mjs', handlerName: './handlers/y.ts' },
    undefined,
    'handlers/y',
    [],
  ],
  [
    'is told from the project',
    { handlerModule: join(PROJECT, 'handlers/y.ts') },
    undefined,
    'handlers/y',
    [],
  ],
  ['is the one of the settings', {}, 'handlers/z.ts', 'handlers/z', []],
  ['has another name than in the settings', { handlerName: 'handlers/y' }, 'handlers/z', 'handlers/y', []],
  ['is another one than in the settings', { handlerModule: 'handlers/y' }, 'handlers/z', 'handlers/y', []],
  ['is elsewhere', { handlerModule: '/elsewhere/y.mjs' }, undefined, '/elsewhere/y', [OUTSIDE]],
  [
    'is in a folder of a similar name',
    { handlerModule: OTHER_FOLDER },
    undefined,
    OTHER_FOLDER.slice(0, -3),
    [OUTSIDE],
  ],
])('the handler of a sample %s', async (_, options, setting, handler, expectedBlockers) => {
  if (setting !== undefined) process.env.OPENID_HANDLER_MODULE = setting;
  const { blockers, expected } = await plan(byDefault, options);
  expect(blockers).toEqual(expectedBlockers);
  expect(expected).toStrictEqual({ ...(handler && { handler }), status: 200, answer: expect.anything() });
});

const { assertion } = samlEvent([attribute('memberOf', 'staffq')]);

test.each<[string, unknown]>([
  ['openidLoggedIn', eventOf({ realm_access: { roles: ['staffq'] } })],
  ['samlLoggedIn', { assertion }],
])('a group that the mapping names is kept for %s', async (functionName, event) => {
  const decided = { event: 'decision', explanation: {}, mapping: { rules: [{ any_group: ['staffq'] }] } };
  const group = expect.objectContaining({ text: 'staffq', why: 'a group that the mapping names' });
  const { kept } = await plan(byDefault, {
    ...{ functionName, event },
    engine: answering(byDefault, { records: [decided] }),
  });
  expect(kept).toContainEqual(group);
  expect((await plan(byDefault, { functionName, event })).kept).not.toContainEqual(group);
});

test.each<[string, unknown, string[]]>([
  ['is that of an ID token', eventOf(ADA), ['https://idp.example.org']],
  ['is that of an assertion', samlEvent(), ['https://idp.example.org/saml']],
  ['is none where the event has none', { idToken: { otherClaims: ADA } }, []],
  ['is none where it is no text', { assertion: { assertionIssuer: 7, assertionId: UUID } }, []],
  ['is none of an event of another form', { idToken: 'adaq' }, []],
])('the issuer that is kept %s', async (_, event, expected) => {
  const invoke = () => answering().invoke({ event: eventOf(ADA), requests: [] } as never);
  const engine = { ...answering(), invoke };
  const { blockers, kept } = await plan(byDefault, { event, engine });
  expect(blockers).toEqual([]);
  expect(kept.flatMap(({ text, why }) => (why === 'the issuer' ? [text] : []))).toEqual(expected);
});

describe('nothing is planned where', () => {
  const NO_OBJECT = 'The event holds no JSON object: there is no login to keep.';
  const TOO_DEEP = 'The event or a recorded response is nested deeper than 100 levels.';
  const FAILS = 'so it has no expected response. Correct the handler first.';
  const UNRECORDED =
    'The handler asks x.org, and its response is not recorded. In the studio, choose "Send these requests".';
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"x"${']'.repeat(levels)}`);
  /** Of what is nested in a claim. */
  const OUTER_LEVELS = 4;
  const deep = (levels: number) => eventOf({ ...ADA, nested: nested(levels - OUTER_LEVELS) });
  const recorded = (levels: number) => [exchange('GET https://x.org', nested(levels))];
  const threw = { reason: 'handler_threw', failed: 'handler_threw: x', thrown: { text: 'x' } as never };

  test.each<[string, Partial<KeepOptions>, string]>([
    ['the event is no JSON', { event: overHttp('ada') }, NO_OBJECT],
    ['the event is a text', { event: 'ada' }, NO_OBJECT],
    ['the event is nothing', { event: null }, NO_OBJECT],
    ['the event is nested too deep', { event: deep(101) }, TOO_DEEP],
    ['a response is nested too deep', { exchanges: recorded(100) }, TOO_DEEP],
    [
      'something is asked that is not recorded',
      { engine: answering(() => new Requested('GET https://x.org/people/ada')) },
      UNRECORDED,
    ],
    ['the function fails', { engine: answering(() => null) }, `The function fails (exited), ${FAILS}`],
    [
      'the handler throws',
      { engine: answering(() => ({}), threw) },
      `The function fails (handler_threw) because the handler throws, ${FAILS}`,
    ],
  ])('%s', async (_, options, blocker) => {
    const unanswered = blocker === UNRECORDED ? ['GET https://x.org/people/ada'] : [];
    expect(await plan(byDefault, options)).toEqual({ ...place, ...nothing, unanswered, blockers: [blocker] });
    const { blockers } = await plan(byDefault, { ...options, name: 'No' });
    expect(blockers).toEqual([expect.stringContaining('The name is not valid'), blocker]);
  });

  test('but where both are nested as deep as may be', async () => {
    const made = await plan(byDefault, { event: deep(100), exchanges: recorded(99) });
    expect(made.blockers).toEqual([]);
  });
});

describe('it cannot be written where', () => {
  test('the handler does not answer the kept event', async () => {
    const { blockers, expected } = await plan((event) => (isAda(event) ? {} : null));
    expect(blockers[0]).toBe('The function fails for the kept event (exited).');
    expect(expected).toBeNull();
  });

  const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
  const OTHER_GROUP = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';

  test.each<[string, Respond]>([
    ['type and reason (B)', (event) => ({ type: isAda(event) ? 'A' : 'B' })],
    // Another refusal's words say nothing more.
    [
      'type and reason (B)',
      (event) => (isAda(event) ? { type: 'A' } : { type: 'B', message: 'Not Lovelaqe' }),
    ],
    ['groups (A)', (event) => ({ type: 'A', user_group_uuids: isAda(event) ? [GROUP] : [OTHER_GROUP] })],
    ['groups (A)', (event) => ({ type: 'A', userGroupUuids: isAda(event) ? [GROUP] : [] })],
  ])('the response differs in %s, until what the handler compares is allowed', async (what, respond) => {
    const { blockers } = await plan(respond);
    expect(blockers).toEqual([
      `The response to the kept event differs in ${what}: in the studio, tick the texts that the handler compares.`,
    ]);
    const allowed = [{ path: 'idToken.otherClaims.given_name', text: 'Adaq' }];
    const made = await plan(respond, { allowed });
    expect(made.blockers).toEqual([]);
    expect(made.kept).toContainEqual({ ...allowed[0], why: 'allowed', isStandard: false });
  });

  test('a text of the person is in what would be written: the places are told, of five', async () => {
    // A handler that answers with what it remembers of the first login.
    let first: Record<string, string> | undefined;
    const respond: Respond = (event) => {
      const before = first === undefined ? '' : 'not ';
      first ??= { ...claimsOf(event) };
      const fields = Array.from('abcdef', (field) => [field, `${before}${first?.family_name}`]);
      return { type: 'A', ...Object.fromEntries(fields) };
    };
    const places = Array.from('abcde', (field) => `response.${field}`).join(', ');
    const { blockers } = await plan(respond);
    expect(blockers).toEqual([`A text of the person is in ${places}: try again, or tick it if it may stay.`]);
  });

  const INVALID =
    'The name is not valid for a sample: expected at most 80 lower-case letters, digits and hyphens, e.g. entra-guest.';
  test.each([
    ...['Ada', 'a/b', '..', '', 'a.b', 'a_b', '-a', 'a-', 'a--b', 'x'.repeat(81)].map((name) => ({
      ...{ name, expected: [INVALID] },
    })),
    ...['a', '7', 'ab-c7-d', 'x'.repeat(80)].map((name) => ({ name, expected: [] })),
    {
      name: 'login-of-adaq',
      expected: [
        'The name of the sample has a text of the person in it, "adaq": choose one that says what the login shows.',
      ],
    },
  ])('the name is $name', async ({ name, expected }) => {
    expect((await plan(byDefault, { name })).blockers).toEqual(expected);
  });

  test.each(['zz-9.json', 'zz-9.expected.json', 'zz-9.recordings.json'])('%s is there', async (file) => {
    const there = join(folder, file, 'openidLoggedIn');
    mkdirSync(there, { recursive: true });
    writeFileSync(join(there, file), '');
    const { blockers } = await plan(byDefault, { name: 'zz-9', folder: join(folder, file) });
    expect(blockers).toEqual(['A sample of this name exists already: choose another name.']);
  });
});

describe('the files of a sample', () => {
  let events: string;
  let count = 0;
  beforeEach(() => {
    count += 1;
    events = join(folder, `written-${count}`, 'openidLoggedIn');
  });
  function made(more: Partial<SamplePlan> = {}): SamplePlan {
    const expected = { status: 200, answer: { type: 'ForbiddenResponse', message: 'No.' } };
    const nothingElse = { kept: [], replaced: [], blockers: [], unanswered: [], files: [] };
    return {
      name: 'first',
      folder: events,
      ...nothingElse,
      event: { a: [1] },
      expected,
      outside: null,
      ...more,
    };
  }
  const RECORDED = { outside: [exchange('GET https://x.example')] };
  /** What is in the folder of the samples, by the names of the files. */
  function written(): Record<string, string> {
    const names = existsSync(events) ? readdirSync(events).sort() : [];
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(events, name), 'utf8')]));
  }
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

  test.each<[string, Partial<SamplePlan>, string[]]>([
    ['an event and what is expected', {}, ['first.json', 'first.expected.json']],
    ['recorded responses too', RECORDED, ['first.json', 'first.recordings.json', 'first.expected.json']],
  ])('are %s, and nothing else', async (_, more, files) => {
    const one = made(more);
    expect(await writeKept(one)).toEqual(files.map((file) => join(events, file)));
    expect(written()).toEqual({
      'first.json': '{\n  "a": [\n    1\n  ]\n}\n',
      'first.expected.json': json(one.expected),
      ...(one.outside && { 'first.recordings.json': json({ invented: true, recordings: one.outside }) }),
    });
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;

  test.each<[string, Partial<SamplePlan>, string]>([
    ['something stands in the way', { blockers: ['No.', 'Not this.'] }, 'No.\nNot this.'],
    ['no response is expected', { expected: null }, ''],
    ['writing fails in the middle', { outside: [circular] as never }, 'circular'],
  ])('are none where %s', async (_, more, message) => {
    await expect(writeKept(made(more))).rejects.toThrow(message);
    expect(written()).toEqual({});
  });

  test.each(['first.json', 'first.expected.json', 'first.recordings.json'])(
    'are never over %s',
    async (file) => {
      mkdirSync(events, { recursive: true });
      writeFileSync(join(events, file), 'other');
      const message = `${join(events, 'first')}: a sample of this name exists already: choose another name`;
      await expect(writeKept(made(RECORDED))).rejects.toEqual(new UnusableInput(message));
      expect(written()).toEqual({ [file]: 'other' });
    },
  );

  test('are those of one of two samples of a name, at the same time', async () => {
    const plans = ['one', 'other'].map((event) => made({ event, ...RECORDED }));
    const results = await Promise.allSettled(plans.map(writeKept));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = plans[results.findIndex(({ status }) => status === 'fulfilled')];
    expect(written()['first.json']).toBe(json(winner?.event));
  });
});

describe('the proposed name', () => {
  function nameOf(login: Partial<NamedLogin>, taken: readonly string[] = []): string {
    const answered = { reason: 'authorized', response: {} };
    const all = { functionName: 'openidLoggedIn', issuer: null, answered, rules: [], ...login };
    return proposedName(all, (name) => taken.includes(name));
  }

  test.each<[string, string | null, string]>([
    ['openidLoggedIn', 'https://sso.example.edu/realms/campus', 'keycloak'],
    ['samlLoggedIn', 'https://adfs.example.com/adfs', 'ad-fs'],
    ['openidLoggedIn', 'https://lovelace.example.org', 'openid'],
    ['samlLoggedIn', 'urn:lovelace', 'saml'],
    ['samlLoggedIn', null, 'saml'],
  ])('of a login of %s at %s begins with %s', (functionName, issuer, provider) => {
    expect(nameOf({ functionName, issuer })).toBe(`${provider}-no-group`);
  });

  const groups = (count: number) => Array.from({ length: count }, () => UUID);
  const refused = (reason: string, path = '', isDecisive = true): Partial<NamedLogin> => ({
    answered: { reason, response: null },
    rules: [{ path: 'rules[0].any_group', isDecisive: false }, ...(path ? [{ path, isDecisive }] : [])],
  });
  const authorized = (response: Record<string, unknown> | null): Partial<NamedLogin> => ({
    answered: { reason: 'authorized', response },
  });

  test.each<[string, Partial<NamedLogin>]>([
    ['no-group', authorized({ user_group_uuids: [] })],
    ['no-group', authorized({ user_group_uuids: 'none' })],
    ['no-group', authorized(null)],
    ['one-group', authorized({ user_group_uuids: groups(1) })],
    ['two-groups', authorized({ userGroupUuids: groups(2) })],
    ['three-groups', authorized({ user_group_uuids: groups(3) })],
    ['many-groups', authorized({ user_group_uuids: groups(4) })],
    ['email-unverified', refused('email_unverified')],
    ['token-not-yet-valid', refused('token_not_yet_valid')],
    ['issuer-not-listed', refused('issuer_not_listed')],
    ['denied-group', refused('rule_refused', 'rules[1].no_group')],
    ['without-group', refused('rule_refused', 'rules[1].any_group')],
    ['other-address', refused('rule_refused', 'rules[1].emails')],
    ['other-domain', refused('rule_refused', 'issuers["https://a.b"].rules[1].email_domains')],
    ['other-scope', refused('rule_refused', 'rules[1].scopes')],
    ['other-claim', refused('rule_refused', 'rules[1].claim')],
    ['other-attribute', refused('rule_refused', 'rules[1].attribute')],
    ['weak-sign-in', refused('rule_refused', 'rules[1].assurance')],
    ['rule-refused', refused('rule_refused', 'rules[1].toString')],
  ])('has the outcome %s', (outcome, login) => expect(nameOf(login)).toBe(`openid-${outcome}`));

  test.each([
    [[], 'openid-no-group'],
    [['openid-no-group'], 'openid-no-group-2'],
    [['openid-no-group', 'openid-no-group-2', 'openid-no-group-3'], 'openid-no-group-4'],
  ])('beside %j is %s', (taken, name) => expect(nameOf({}, taken)).toBe(name));
});
