/** Plans to keep a login: what would be written, and why it cannot be. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KeepOptions } from '../../tools/keep/plan.ts';
import { EVENTS } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { customHandler } from '../support/customHandler.ts';
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

type Question = Parameters<KeepOptions['engine']['invoke']>[0];

const plan = (respond: Respond, options: Partial<KeepOptions> = {}) =>
  planned(eventOf(ADA), { functionName: 'openidLoggedIn', respond, folder, ...options });
const UUID = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const place = { name: 'zz-1', folder: join(folder, 'openidLoggedIn') };
const nothing = {
  ...{ kept: [], replaced: [], unanswered: [], event: null },
  ...{ expected: null, outside: null, files: [] },
};

describe('a plan', () => {
  test('has all that would be written, and writes nothing', async () => {
    const { event, expected, kept, replaced, ...rest } = await plan(byDefault);
    const file = join(folder, 'openidLoggedIn', 'zz-1');
    const files = [`${file}.json`, `${file}.expected.json`];
    expect(rest).toEqual({ ...place, blockers: [], outside: null, unanswered: [], files });
    const { given_name, family_name, email } = claimsOf(event);
    expect(given_name).not.toBe('Adaq');
    expect(expected).toStrictEqual({
      status: 200,
      answer: expect.objectContaining({ first_name: given_name, last_name: family_name, email }),
    });
    expect(kept).toContainEqual({
      path: 'idToken.iss',
      text: 'https://idp.example.org',
      why: 'the issuer',
      isStandard: false,
    });
    expect(replaced).toContainEqual({ path: 'idToken.otherClaims.given_name', text: 'Adaq' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is of the events of the project, where no folder is named', async () => {
    const { folder, files } = await plan(byDefault, { folder: undefined as never });
    expect(folder).toBe(join(EVENTS, 'openidLoggedIn'));
    expect(files).toEqual(['events/openidLoggedIn/zz-1.json', 'events/openidLoggedIn/zz-1.expected.json']);
  });

  test('has recorded responses that the handler asks for', async () => {
    const recorded = [exchange('GET https://x.org/all', { name: 'Adaq' })];
    const respond: Respond = (_, outside) =>
      outside[0] ? { ...(outside[0].json as object) } : new Requested('GET https://x.org/all');
    const { blockers, outside, files, expected } = await plan(respond, { exchanges: recorded });
    expect(blockers).toEqual([]);
    expect(outside).toEqual([{ ...recorded[0], json: expected?.answer }]);
    expect(files.map((file) => file.slice(file.indexOf('zz-1')))).toEqual([
      ...['zz-1.json', 'zz-1.recordings.json', 'zz-1.expected.json'],
    ]);
  });

  test('is of the event in an HTTP envelope', async () => {
    const { blockers, event } = await plan(byDefault, { event: overHttp(eventOf(ADA)) });
    expect(blockers).toEqual([]);
    expect(Object.keys(event as object)).toEqual(Object.keys(eventOf(ADA)));
  });

  test('is answered by the function and the handler, without checks, at the time of each event', async () => {
    const asked: Question[] = [];
    const event = eventOf(ADA);
    const { invoke, ...engineOf } = answering(byDefault);
    const engine: KeepOptions['engine'] = {
      ...engineOf,
      invoke: (question) => {
        asked.push(question);
        return invoke(question);
      },
    };
    const exchanges = [exchange('GET https://x.org/all')];
    const handlerModule = join(PROJECT, 'handlers', 'x.ts');
    const made = await plan(byDefault, { handlerModule, exchanges, event, engine });
    const way = {
      ...{ functionName: 'openidLoggedIn', handlerModule },
      ...{ isChecked: false, hasDefaultResponses: true },
    };
    expect(asked[0]).toMatchObject({
      ...way,
      event,
      requests: exchanges,
      frozenTime: event.idToken.iat * 1_000,
    });
    const { iat } = (made.event as typeof event).idToken;
    expect(asked.at(-1)).toMatchObject({ ...way, event: made.event, frozenTime: iat * 1_000 });
  });

  test('lists what may be ticked, up to 1,000 texts of 1,000 characters', async () => {
    const groups = Array.from({ length: 1_100 }, (_, index) => `group ${index}`);
    const texts = { nickname: 'q'.repeat(1_000), profile: 'q'.repeat(1_001) };
    const { replaced } = await plan(byDefault, { event: eventOf({ ...texts, groups }) });
    expect(replaced).toHaveLength(1_000);
    expect(replaced).toContainEqual({ path: 'idToken.otherClaims.nickname', text: texts.nickname });
    expect(replaced.map(({ text }) => text)).not.toContain(texts.profile);
  });
});

describe('the handler of a sample', () => {
  test.each<[string, Partial<KeepOptions>, string | undefined, string | undefined]>([
    ['is the default handler', {}, undefined, undefined],
    [
      'has the name that is given',
      { handlerModule: '/x/y.mjs', handlerName: './handlers/y.ts' },
      undefined,
      'handlers/y',
    ],
    [
      'is told from the project’s folder',
      { handlerModule: join(PROJECT, 'handlers/y.ts') },
      undefined,
      'handlers/y',
    ],
    ['is the one of the settings', {}, 'handlers/z.ts', 'handlers/z'],
    ['has another name than in the settings', { handlerName: 'handlers/y' }, 'handlers/z', 'handlers/y'],
    ['is another one than in the settings', { handlerModule: 'handlers/y' }, 'handlers/z', 'handlers/y'],
  ])('%s', async (_, options, setting, handler) => {
    if (setting !== undefined) process.env.OPENID_HANDLER_MODULE = setting;
    const { blockers, expected } = await plan(byDefault, options);
    expect(blockers).toEqual([]);
    expect(expected).toStrictEqual({ ...(handler && { handler }), status: 200, answer: expect.anything() });
  });

  test.each(['/elsewhere/y.mjs', `${PROJECT.slice(0, -1)}-2/handlers/y.ts`])(
    'is not %s',
    async (handlerModule) => {
      const { blockers } = await plan(byDefault, { handlerModule });
      expect(blockers).toEqual([
        'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.',
      ]);
    },
  );
});

describe('a group that the mapping names stays, where its kind of login has groups:', () => {
  const SDK = JSON.stringify(join(PROJECT, 'lib', 'sdk.ts'));
  const { assertion } = samlEvent([attribute('memberOf', 'staffq')]);

  test.each<[string, string, string, unknown]>([
    ['openidLoggedIn', 'OPENID', 'mapOpenIdLogin', eventOf({ realm_access: { roles: ['staffq'] } })],
    ['samlLoggedIn', 'SAML', 'mapSamlLogin', { assertion }],
  ])('%s', async (functionName, kind, makeHandler, event) => {
    process.env[`${kind}_HANDLER_MODULE`] = await customHandler(
      `import { ${makeHandler} } from ${SDK}; export default ${makeHandler}({ rules: [{ any_group: ['staffq'] }] });`,
    );
    const options = { functionName, event };
    const stay = expect.objectContaining({ text: 'staffq', why: 'a group that the mapping names' });
    const { kept } = await plan(byDefault, { ...options, handlerName: 'handlers/own' });
    expect(kept).toContainEqual(stay);
    delete process.env[`${kind}_HANDLER_MODULE`];
    expect((await plan(byDefault, options)).kept).not.toContainEqual(stay);
  });
});

describe('the issuer that stays', () => {
  test.each<[string, unknown, string[]]>([
    ['is that of an ID token', eventOf(ADA), ['https://idp.example.org']],
    ['is that of an assertion', samlEvent(), ['https://idp.example.org/saml']],
    ['is none where the event has none', { idToken: { otherClaims: ADA } }, []],
    ['is none where it is no text', { assertion: { assertionIssuer: 7, assertionId: UUID } }, []],
    ['is none of an event of another form', { idToken: 'adaq' }, []],
  ])('%s', async (_, event, expected) => {
    const engine = {
      ...answering(),
      root: folder,
      invoke: () => answering().invoke({ event: eventOf(ADA), requests: [] } as never),
    };
    const { blockers, kept } = await plan(byDefault, { event, engine });
    expect(blockers).toEqual([]);
    expect(kept.flatMap(({ text, why }) => (why === 'the issuer' ? [text] : []))).toEqual(expected);
  });
});

describe('nothing is planned where', () => {
  const NO_OBJECT = 'The event holds no JSON object: there is no login to keep.';
  const TOO_DEEP = 'The event or a recorded response is nested deeper than 100 levels.';
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"x"${']'.repeat(levels)}`);
  /** Of what is nested in a claim. */
  const OUTER_LEVELS = 4;
  const failing = (more: object) => ({ engine: answering(() => ({}), more) });

  test.each<[string, Partial<KeepOptions>, string]>([
    ['the event is no JSON', { event: overHttp('ada') }, NO_OBJECT],
    ['the event is a text', { event: 'ada' }, NO_OBJECT],
    ['the event is nothing', { event: null }, NO_OBJECT],
    [
      'the event is nested too deep',
      { event: eventOf({ ...ADA, nested: nested(100 - OUTER_LEVELS + 1) }) },
      TOO_DEEP,
    ],
    ['a response is nested too deep', { exchanges: [exchange('GET https://x.org', nested(100))] }, TOO_DEEP],
    [
      'something is asked that is not recorded',
      { engine: answering(() => new Requested('GET https://x.org/people/ada')) },
      'The handler asks x.org, and its response is not recorded. In the studio, choose "Send these requests".',
    ],
    [
      'the function fails',
      { engine: answering(() => null) },
      'The function fails (exited), so it has no expected response. Correct the handler first.',
    ],
    [
      'the handler throws',
      failing({ reason: 'handler_threw', failed: 'handler_threw: x', thrown: { text: 'x' } }),
      'The function fails (handler_threw) because the handler throws, so it has no expected response. Correct the handler first.',
    ],
  ])('%s', async (_, options, blocker) => {
    const unanswered = blocker.startsWith('The handler asks') ? ['GET https://x.org/people/ada'] : [];
    expect(await plan(byDefault, options)).toEqual({ ...place, ...nothing, unanswered, blockers: [blocker] });
    const { blockers } = await plan(byDefault, { ...options, name: 'No' });
    expect(blockers).toEqual([expect.stringContaining('The name is not valid'), blocker]);
  });

  test('but where both are nested as deep as may be', async () => {
    const event = eventOf({ ...ADA, nested: nested(100 - OUTER_LEVELS) });
    const exchanges = [exchange('GET https://x.org', nested(99))];
    expect((await plan(byDefault, { event, exchanges })).blockers).toEqual([]);
  });
});

describe('it cannot be written where', () => {
  test('the handler does not answer the kept event', async () => {
    const { blockers, expected } = await plan((event) => (claimsOf(event).given_name === 'Adaq' ? {} : null));
    expect(blockers[0]).toBe('The function fails for the kept event (exited).');
    expect(expected).toBeNull();
  });

  const isAda = (event: unknown) => claimsOf(event).given_name === 'Adaq';
  const [GROUP, OTHER_GROUP] = [
    '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30',
    '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11',
  ];

  test.each<[string, string, Respond]>([
    ['another type and reason', 'type and reason (B)', (event) => ({ type: isAda(event) ? 'A' : 'B' })],
    [
      'another refusal, whose words say nothing more',
      'type and reason (B)',
      (event) => (isAda(event) ? { type: 'A' } : { type: 'B', message: 'Not Lovelaqe' }),
    ],
    [
      'other groups',
      'groups (A)',
      (event) => ({ type: 'A', user_group_uuids: isAda(event) ? [GROUP] : [OTHER_GROUP] }),
    ],
    [
      'other groups in camelCase',
      'groups (A)',
      (event) => ({ type: 'A', userGroupUuids: isAda(event) ? [GROUP] : [] }),
    ],
  ])(
    'the kept event is answered with %s, until what the handler compares is ticked',
    async (_, what, respond) => {
      const { blockers } = await plan(respond);
      expect(blockers).toEqual([
        `The response to the kept event differs in ${what}: in the studio, tick the texts that the handler compares.`,
      ]);
      const ticked = [{ path: 'idToken.otherClaims.given_name', text: 'Adaq' }];
      const kept = await plan(respond, { allowed: ticked });
      expect(kept.blockers).toEqual([]);
      expect(kept.kept).toContainEqual({ ...ticked[0], why: 'allowed', isStandard: false });
    },
  );

  test('a text of the person is in what would be written: the places are told, of five', async () => {
    // A handler that answers with what it remembers of the first login.
    let first: Record<string, string> | undefined;
    const respond: Respond = (event) => {
      const isFirst = first === undefined;
      first ??= { ...claimsOf(event) };
      const fields = Array.from('abcdef', (field) => [
        field,
        `${isFirst ? '' : 'not '}${first?.family_name}`,
      ]);
      return { type: 'A', ...Object.fromEntries(fields) };
    };
    const { blockers } = await plan(respond);
    expect(blockers).toEqual([
      `A text of the person is in ${Array.from('abcde', (field) => `response.${field}`).join(', ')}: try again, or tick it if it may stay.`,
    ]);
  });

  test.each(['Ada', 'a/b', '..', '', 'a.b', 'a_b', '-a', 'a-', 'a--b', 'x'.repeat(81)])(
    'the name is %p',
    async (name) => {
      const { blockers } = await plan(byDefault, { name });
      expect(blockers).toEqual([
        'The name is not valid for a sample: expected at most 80 lower-case letters, digits and hyphens, e.g. entra-guest.',
      ]);
    },
  );

  test.each(['a', '7', 'ab-c7-d', 'x'.repeat(80)])('but not where the name is %p', async (name) => {
    expect((await plan(byDefault, { name })).blockers).toEqual([]);
  });

  test('the name has a text of the person in it', async () => {
    expect((await plan(byDefault, { name: 'login-of-adaq' })).blockers).toEqual([
      'The name of the sample has a text of the person in it, "adaq": choose one that says what the login shows.',
    ]);
  });

  test.each(['zz-9.json', 'zz-9.expected.json', 'zz-9.recordings.json'])('%s is there', async (file) => {
    const there = join(folder, file, 'openidLoggedIn');
    mkdirSync(there, { recursive: true });
    writeFileSync(join(there, file), '');
    const { blockers } = await plan(byDefault, { name: 'zz-9', folder: join(folder, file) });
    expect(blockers).toEqual(['A sample of this name exists already: choose another name.']);
    rmSync(join(folder, file), { recursive: true });
  });
});
