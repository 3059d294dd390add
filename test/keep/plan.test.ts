/** Plans to keep a login: what would be written, why it cannot be, and the files and the name of a sample. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import {
  issuerOf,
  type KeepOptions,
  proposedName,
  type SamplePlan,
  writeKept,
} from '../../tools/keep/plan.ts';
import type { Invocation } from '../../tools/local/invocation.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { overHttp, samlEvent } from '../support/wire.ts';
import {
  answering,
  byDefault,
  claimsOf,
  eventOf,
  exchange,
  plan as planned,
  type Respond,
} from './answering.ts';

const ADA = { email: 'adaq@quxen.org', given_name: 'Adaq', family_name: 'Lovelaqe' };
const folder = temporaryFolder();
const place = { name: 'zz-1', folder: join(folder, 'openidLoggedIn') };
const nothing = {
  kept: [],
  replaced: [],
  unanswered: [],
  event: null,
  expected: null,
  outside: null,
  files: [],
};

function plan(respond: Respond, options: Partial<KeepOptions> = {}) {
  return planned(eventOf(ADA), { functionName: 'openidLoggedIn', respond, folder, ...options });
}

const isAda = (event: unknown) => claimsOf(event).given_name === 'Adaq';

test('a plan has all that would be written, and writes nothing', async () => {
  const { event, expected, kept, replaced, ...rest } = await plan(byDefault);
  const file = join(place.folder, 'zz-1');
  const files = [`${file}.json`, `${file}.expected.json`];
  expect(rest).toEqual({ ...place, blockers: [], outside: null, unanswered: [], files });
  const { given_name, family_name, email } = claimsOf(event);
  expect(given_name).not.toBe('Adaq');
  const answer = expect.objectContaining({ first_name: given_name, last_name: family_name, email });
  expect(expected).toStrictEqual({ status: 200, answer });
  const issuer = { path: 'id_token.iss', text: 'https://idp.example.org' };
  expect(kept).toContainEqual({ ...issuer, why: 'the issuer', isStandard: false });
  expect(replaced).toContainEqual({ path: 'id_token.other_claims.given_name', text: 'Adaq' });
  expect(existsSync(place.folder)).toBe(false);
});

test('a plan has recorded responses that the handler asks for', async () => {
  const recorded = [exchange('GET https://x.org/all', { name: 'Adaq' })];
  const respond: Respond = (_, [first]) => (first ? { ...(first.json as object) } : 'GET https://x.org/all');
  const { blockers, outside, files, expected } = await plan(respond, { exchanges: recorded });
  expect(blockers).toEqual([]);
  expect(outside).toEqual([{ ...recorded[0], json: expected?.answer }]);
  const names = files.map((file) => file.slice(file.indexOf('zz-1')));
  expect(names).toEqual(['zz-1.json', 'zz-1.recordings.json', 'zz-1.expected.json']);
});

test('the function and the handler answer without checks, at the time of each event, outside its envelope', async () => {
  const invocations: Invocation[] = [];
  const event = eventOf(ADA);
  const { invoke } = answering(byDefault);
  const noted = (invocation: Invocation) => {
    invocations.push(invocation);
    return invoke(invocation);
  };
  const exchanges = [exchange('GET https://x.org/all')];
  const handler = { given: 'handlers/x', module: '/built/x' };
  const options = { handler, exchanges, event: overHttp(event), engine: { invoke: noted } };
  const made = (await plan(byDefault, options)).event as typeof event;
  const asked = { handlerModule: handler.module, isChecked: false, hasDefaultResponses: true };
  const way = { functionName: 'openidLoggedIn', ...asked };
  const timeOf = ({ idToken }: typeof event) => idToken.iat * 1_000;
  expect(invocations[0]).toMatchObject({ ...way, event, requests: exchanges, frozenTime: timeOf(event) });
  expect(invocations.at(-1)).toMatchObject({ ...way, event: made, frozenTime: timeOf(made) });
  expect(Object.keys(made)).toEqual(Object.keys(event));
});

test('a plan lists what may be allowed, up to 1,000 texts of 1,000 characters', async () => {
  const groups = Array.from({ length: 1_001 }, (_, index) => `group ${index}`);
  const texts = { nickname: 'q'.repeat(1_000), profile: 'q'.repeat(1_001) };
  const { replaced } = await plan(byDefault, { event: eventOf({ ...texts, groups }) });
  expect(replaced).toHaveLength(1_000);
  expect(replaced).toContainEqual({ path: 'id_token.other_claims.nickname', text: texts.nickname });
  expect(replaced.map(({ text }) => text)).not.toContain(texts.profile);
});

test.each(['./handlers/y.ts', join(PROJECT, 'handlers/y.ts')])(
  'a sample names its handler, %s, from the folder of the project',
  async (given) => {
    const { blockers, expected } = await plan(byDefault, { handler: { given, module: '/x/y.mjs' } });
    expect(blockers).toEqual([]);
    expect(expected).toStrictEqual({ handler: 'handlers/y', status: 200, answer: expect.anything() });
  },
);

const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const OTHER_GROUP = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';

test('a group that the mapping names is kept', async () => {
  const decided = { event: 'decision', explanation: {}, mapping: { rules: [{ any_group: ['staffq'] }] } };
  const event = eventOf({ realm_access: { roles: ['staffq'] } });
  const group = expect.objectContaining({ text: 'staffq', isStandard: false });
  const engine = answering(byDefault, { records: [decided] });
  expect((await plan(byDefault, { event, engine })).kept).toContainEqual(group);
  expect((await plan(byDefault, { event })).kept).not.toContainEqual(group);
});

test.each<[string, unknown, string | null]>([
  ['that of an assertion', samlEvent(), 'https://idp.example.org/saml'],
  ['none where the event has none', { idToken: { otherClaims: ADA } }, null],
])('the issuer of an event is %s', (_, event, issuer) => expect(issuerOf(event)).toBe(issuer));

const NO_OBJECT = 'The event holds no JSON object: there is no login to keep.';
const TOO_DEEP = 'The event or a recorded response is nested deeper than 100 levels.';
const FAILS = 'so it has no expected response. Correct the handler first.';
const UNRECORDED =
  'The handler asks x.org, and its response is not recorded. In the studio, choose "Send these requests".';
const OUTSIDE =
  'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.';
const INVALID =
  'The name is not valid for a sample: expected at most 80 lower-case letters, digits and hyphens, e.g. entra-guest.';
const TAKEN = 'A sample of this name exists already: choose another name.';
const handlerIn = (given: string) => ({ given, module: given });
const OTHER_FOLDER = `${PROJECT.slice(0, -1)}-2/handlers/y.ts`;
const ASKED = 'GET https://x.org/people/ada';
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"x"${']'.repeat(levels)}`);
/** An event has four levels around a claim. */
const deep = (levels: number) => eventOf({ ...ADA, nested: nested(levels - 4) });
const recorded = (levels: number) => [exchange('GET https://x.org', nested(levels))];
const threw = { reason: 'handler_threw', failed: 'handler_threw: x', thrown: { text: 'x' } as never };
const throwing = answering(() => ({}), threw);

test.each<[string, Partial<KeepOptions>, string]>([
  ['the event is no JSON', { event: overHttp('ada') }, NO_OBJECT],
  ['the event is nested too deep', { event: deep(101) }, TOO_DEEP],
  ['a response is nested too deep', { exchanges: recorded(100) }, TOO_DEEP],
  ['a request is not recorded', { engine: answering(() => ASKED) }, UNRECORDED],
  ['the function fails', { engine: answering(() => null) }, `The function fails (exited), ${FAILS}`],
  [
    'the handler throws',
    { engine: throwing },
    `The function fails (handler_threw) because the handler throws, ${FAILS}`,
  ],
  ['the handler is elsewhere', { handler: handlerIn('/elsewhere/y.mjs') }, OUTSIDE],
  ['the handler is in a folder of a similar name', { handler: handlerIn(OTHER_FOLDER) }, OUTSIDE],
  ...['Ada', 'a/b', '..', '', 'a.b', 'a_b', '-a', 'a-', 'a--b', 'x'.repeat(81)].map(
    (name): [string, Partial<KeepOptions>, string] => [`the name is ${name}`, { name }, INVALID],
  ),
  ...['json', 'expected.json', 'recordings.json'].map((end): [string, Partial<KeepOptions>, string] => {
    mkdirSync(join(folder, end, 'openidLoggedIn'), { recursive: true });
    writeFileSync(join(folder, end, 'openidLoggedIn', `zz-1.${end}`), '');
    return [`a file zz-1.${end} is there`, { folder: join(folder, end) }, TAKEN];
  }),
])('nothing is planned where %s', async (_, options, blocker) => {
  const unanswered = blocker === UNRECORDED ? [ASKED] : [];
  const { name = place.name } = options;
  const there = { name, folder: join(options.folder ?? folder, 'openidLoggedIn') };
  expect(await plan(byDefault, options)).toEqual({ ...there, ...nothing, unanswered, blockers: [blocker] });
});

test.each(['a', '7', 'ab-c7-d', 'x'.repeat(80)])(
  'a sample may be called %s, and nested as deep as may be',
  async (name) => {
    const { blockers } = await plan(byDefault, { name, event: deep(100), exchanges: recorded(99) });
    expect(blockers).toEqual([]);
  },
);

test.each<[string, Respond]>([
  ['type and reason (B)', (event) => ({ type: isAda(event) ? 'A' : 'B' })],
  ['groups (A)', (event) => ({ type: 'A', user_group_uuids: isAda(event) ? [GROUP] : [OTHER_GROUP] })],
])('a response must not differ in %s, until what the handler compares is allowed', async (what, respond) => {
  const { blockers } = await plan(respond);
  expect(blockers).toEqual([
    `The response to the kept event differs in ${what}: in the studio, tick the texts that the handler compares.`,
  ]);
  const allowed = [{ path: 'id_token.other_claims.given_name', text: 'Adaq' }];
  const made = await plan(respond, { allowed });
  expect(made.blockers).toEqual([]);
  expect(made.kept).toContainEqual({ ...allowed[0], why: 'allowed', isStandard: false });
});

test('no text of the person may be in what would be written: of the places, five are told', async () => {
  // A handler that answers with what it remembers of the first login.
  let first: string | undefined;
  const respond: Respond = (event) => {
    const before = first === undefined ? '' : 'not ';
    first ??= claimsOf(event).family_name;
    return {
      type: 'A',
      ...Object.fromEntries(Array.from('abcdef', (field) => [field, `${before}${first}`])),
    };
  };
  const places = Array.from('abcde', (field) => `response.${field}`).join(', ');
  const { blockers } = await plan(respond);
  expect(blockers).toEqual([`A text of the person is in ${places}: try again, or tick it if it may stay.`]);
});

test.each<[string, Respond, Partial<KeepOptions>, string]>([
  [
    'the function fails for it',
    (event) => (isAda(event) ? {} : null),
    {},
    'The function fails for the kept event (exited).',
  ],
  [
    'its name tells the person',
    byDefault,
    { name: 'login-of-adaq' },
    'The name of the sample has a text of the person in it: choose one that says what the login shows.',
  ],
])('an event is not kept where %s', async (_, respond, options, blocker) => {
  const { blockers, expected } = await plan(respond, options);
  expect(blockers).toEqual([blocker]);
  expect(expected === null).toBe(respond !== byDefault);
});

const events = join(folder, 'written', 'openidLoggedIn');
afterEach(() => rmSync(events, { recursive: true, force: true }));

function made(more: Partial<SamplePlan> = {}): SamplePlan {
  const expected = { status: 200, answer: { type: 'ForbiddenResponse', message: 'No.' } };
  const sample = { name: 's', folder: events, event: { a: [1] }, expected };
  return { ...nothing, blockers: [], ...sample, ...more };
}
const RECORDED = { outside: [exchange('GET https://x.example')] };
const written = () =>
  existsSync(events)
    ? Object.fromEntries(readdirSync(events).map((name) => [name, readFileSync(join(events, name), 'utf8')]))
    : {};
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

test.each<[string, Partial<SamplePlan>, string[]]>([
  ['an event and what is expected', {}, ['s.json', 's.expected.json']],
  ['recorded responses too', RECORDED, ['s.json', 's.recordings.json', 's.expected.json']],
])('the files of a sample are %s, and nothing else', async (_, more, names) => {
  const one = made(more);
  expect(await writeKept(one)).toEqual(names.map((name) => join(events, name)));
  expect(written()).toEqual({
    's.json': '{\n  "a": [\n    1\n  ]\n}\n',
    's.expected.json': json(one.expected),
    ...(one.outside && { 's.recordings.json': json({ invented: true, recordings: one.outside }) }),
  });
});

const circular: Record<string, unknown> = {};
circular.self = circular;

test.each<[string, Partial<SamplePlan>, string]>([
  ['something stands in the way', { blockers: ['No.', 'Not this.'] }, 'No.\nNot this.'],
  ['no response is expected', { expected: null }, ''],
  ['writing fails in the middle', { outside: [circular] as never }, 'circular'],
])('no file is written where %s', async (_, more, message) => {
  await expect(writeKept(made(more))).rejects.toThrow(message);
  expect(written()).toEqual({});
});

test.each(['s.json', 's.expected.json', 's.recordings.json'])('no file is written over %s', async (name) => {
  mkdirSync(events, { recursive: true });
  writeFileSync(join(events, name), 'other');
  const message = `${join(events, 's')}: a sample of this name exists already: choose another name`;
  await expect(writeKept(made(RECORDED))).rejects.toEqual(new UnusableInput(message));
  expect(written()).toEqual({ [name]: 'other' });
});

test.each<[string, string | null, string, string]>([
  ['openidLoggedIn', 'https://sso.example.edu/realms/campus', 'authorized', 'keycloak-authorized'],
  ['samlLoggedIn', 'https://adfs.example.com/adfs', 'rule_refused', 'ad-fs-rule-refused'],
  ['openidLoggedIn', 'https://lovelace.example.org', 'token_not_yet_valid', 'openid-token-not-yet-valid'],
])('the proposed name of a login of %s at %s that is %s: %s', (functionName, issuer, reason, name) => {
  const proposed = () => proposedName({ functionName, issuer, reason }, folder);
  expect(proposed()).toBe(name);
  expect(proposedName({ functionName, issuer, reason })).toBe(name);
  mkdirSync(join(folder, functionName), { recursive: true });
  for (const taken of [name, `${name}-2`, `${name}-3`])
    writeFileSync(join(folder, functionName, `${taken}.expected.json`), '');
  expect(proposed()).toBe(`${name}-4`);
});
