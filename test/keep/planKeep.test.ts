/** Plans to keep a login: what would be written, and what stands in the way before anything is. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type KeepOptions, planKeep } from '../../tools/keep/planKeep.ts';
import { EVENTS } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { customHandler } from '../support/customHandler.ts';
import { attribute, overHttp, samlEvent } from '../support/wire.ts';
import {
  ADA,
  asking,
  byDefault,
  claimsOf,
  type Event,
  eventOf,
  exchange,
  Requested,
  type Respond,
} from './answering.ts';

const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SETTINGS = ['OPENID_HANDLER_MODULE', 'SAML_HANDLER_MODULE'];
const env = { ...process.env };
beforeEach(() => {
  for (const name of SETTINGS) delete process.env[name];
});
afterEach(() => {
  for (const name of SETTINGS) delete process.env[name];
  Object.assign(process.env, env);
});

type Question = Parameters<KeepOptions['engine']['answer']>[0];
type Answer = Awaited<ReturnType<KeepOptions['engine']['answer']>>;

/** An engine whose functions run in this process. */
function engineOf(
  respond: Respond,
  asked: Question[] = [],
  more: Partial<Answer> = {},
): KeepOptions['engine'] {
  return {
    root: folder,
    answer: async (question) => {
      asked.push(question);
      const { event, outside } = question;
      return { ...(await asking(respond)(event, outside as never)), ...more };
    },
  };
}

function plan(respond: Respond, options: Partial<KeepOptions> = {}) {
  const engine = engineOf(respond);
  return planKeep({
    engine,
    functionName: 'openidLoggedIn',
    event: eventOf(ADA),
    name: 'zz-1',
    folder,
    ...options,
  });
}
const place = { name: 'zz-1', folder: join(folder, 'openidLoggedIn') };
const nothing = { stays: [], event: null, expected: null, outside: null, files: [] };

describe('a plan', () => {
  test('has all that would be written, and writes nothing', async () => {
    const { event, expected, stays, ...rest } = await plan(byDefault);
    const file = join(folder, 'openidLoggedIn', 'zz-1');
    const files = [`${file}.json`, `${file}.expected.json`];
    expect(rest).toEqual({ ...place, blockers: [], outside: null, files });
    const { given_name, family_name, email } = (event as Event).idToken.otherClaims;
    expect(given_name).not.toBe('Adaq');
    expect(expected).toEqual({
      status: 200,
      answer: expect.objectContaining({ first_name: given_name, last_name: family_name, email }),
    });
    expect(stays).toContainEqual({ text: 'https://idp.example.org', why: 'the issuer' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is of the events of the project, where no folder is named', async () => {
    const { folder, files } = await plan(byDefault, { folder: undefined as never });
    expect(folder).toBe(join(EVENTS, 'openidLoggedIn'));
    expect(files).toEqual(['events/openidLoggedIn/zz-1.json', 'events/openidLoggedIn/zz-1.expected.json']);
  });

  test('has recorded responses that the handler asks for', async () => {
    const recorded = [exchange('GET https://x.example/all', { name: 'Adaq' })];
    const respond: Respond = (_, outside) =>
      outside[0] ? { ...(outside[0].json as object) } : new Requested('GET https://x.example/all');
    const { blockers, outside, files, expected } = await plan(respond, { exchanges: recorded });
    expect(blockers).toEqual([]);
    expect(outside).toEqual([{ ...recorded[0], json: expected?.answer }]);
    expect(files.map((file) => file.slice(file.indexOf('zz-1')))).toEqual([
      ...['zz-1.json', 'zz-1.outside.json', 'zz-1.expected.json'],
    ]);
  });

  test('is of the event in an HTTP envelope', async () => {
    const { blockers, event } = await plan(byDefault, { event: overHttp(eventOf(ADA)) });
    expect(blockers).toEqual([]);
    expect(Object.keys(event as object)).toEqual(Object.keys(eventOf(ADA)));
  });

  test('is proven by the function and the handler, without checks, at the time of each event', async () => {
    const asked: Question[] = [];
    const event = eventOf(ADA);
    const exchanges = [exchange('GET https://x.example/all')];
    const options = { handlerModule: join(PROJECT, 'handlers', 'x.ts'), exchanges };
    const made = await plan(byDefault, { ...options, event, engine: engineOf(byDefault, asked) });
    const way = {
      ...{ functionName: 'openidLoggedIn', handlerModule: options.handlerModule },
      ...{ isChecked: false, hasDefaultResponses: true },
    };
    expect(asked[0]).toMatchObject({ ...way, event, outside: exchanges, moment: event.idToken.iat * 1_000 });
    const { iat } = (made.event as Event).idToken;
    expect(asked.at(-1)).toMatchObject({ ...way, event: made.event, moment: iat * 1_000 });
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
        'The handler is no file of the project: the sample would name a place on this machine. Save the handler in handlers/.',
      ]);
    },
  );
});

/** Answers every event alike, whatever is in it. */
const alike = { root: folder, answer: () => asking(() => ({}))(eventOf(ADA), []) };

describe('a group that the mapping names stays, where its kind of login has groups:', () => {
  const SDK = JSON.stringify(join(PROJECT, 'lib', 'sdk.ts'));
  const { assertion } = samlEvent([attribute('memberOf', 'staffq')]);

  test.each<[string, string, string, Partial<Event>]>([
    ['openidLoggedIn', 'OPENID', 'mapOpenIdLogin', eventOf({ realm_access: { roles: ['staffq'] } })],
    ['samlLoggedIn', 'SAML', 'mapSamlLogin', { assertion } as never],
  ])('%s', async (functionName, kind, makeHandler, event) => {
    process.env[`${kind}_HANDLER_MODULE`] = await customHandler(
      `import { ${makeHandler} } from ${SDK}; export default ${makeHandler}({ rules: [{ any_group: ['staffq'] }] });`,
    );
    const options = { functionName, event, engine: alike };
    const stay = { text: 'staffq', why: 'a group that the mapping names' };
    expect((await plan(byDefault, { ...options, handlerName: 'handlers/own' })).stays).toContainEqual(stay);
    delete process.env[`${kind}_HANDLER_MODULE`];
    expect((await plan(byDefault, options)).stays).not.toContainEqual(stay);
  });
});

describe('the issuer that stays', () => {
  const stay = (text: string) => [{ text, why: 'the issuer' }];

  test.each<[string, unknown, object[]]>([
    ['is that of an ID token', eventOf(ADA), stay('https://idp.example.org')],
    ['is that of an assertion', samlEvent(), stay('https://idp.example.org/saml')],
    ['is none where the event has none', { idToken: { otherClaims: ADA } }, []],
    ['is none where it is no text', { assertion: { assertionIssuer: 7 } }, []],
    ['is none of an event of another form', { idToken: 'adaq' }, []],
  ])('%s', async (_, event, expected) => {
    const { blockers, stays } = await plan(byDefault, { event, engine: alike });
    expect(blockers).toEqual([]);
    expect(stays.filter(({ why }) => why === 'the issuer')).toEqual(expected);
  });
});

describe('nothing is planned where', () => {
  const NO_OBJECT = 'The event holds no JSON object: there is no login to keep.';
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"x"${']'.repeat(levels)}`);
  /** Of what is nested in a claim. */
  const OUTER_LEVELS = 4;

  test.each<[string, Partial<KeepOptions>, string]>([
    ['the event is no JSON', { event: overHttp('ada') }, NO_OBJECT],
    ['the event is a text', { event: 'ada' }, NO_OBJECT],
    ['the event is nothing', { event: null }, NO_OBJECT],
    [
      'the event is nested too deep',
      { event: eventOf({ ...ADA, nested: nested(100 - OUTER_LEVELS + 1) }) },
      'The event is nested deeper than 100 levels.',
    ],
    [
      'something is asked that is not recorded',
      { engine: engineOf(() => new Requested('GET https://x.example/people/ada')) },
      'The handler asks https://x.example, and what it answers is not recorded: record it first.',
    ],
    [
      'the function fails',
      { engine: engineOf(() => null) },
      'The function fails (exited): no response can be expected of it. Mend the handler first.',
    ],
    [
      'the handler throws',
      {
        engine: engineOf(() => ({}), [], {
          reason: 'handler_threw',
          failed: 'handler_threw: x',
          thrown: { text: 'x' } as never,
        }),
      },
      'The function fails (handler_threw), by what the handler throws: no response can be expected of it. Mend the handler first.',
    ],
  ])('%s', async (_, options, blocker) => {
    expect(await plan(byDefault, options)).toEqual({ ...place, ...nothing, blockers: [blocker] });
    const { blockers } = await plan(byDefault, { ...options, name: 'No' });
    expect(blockers).toEqual([expect.stringContaining('The name is not one'), blocker]);
  });

  test('but where it is nested as deep as may be', async () => {
    const event = eventOf({ ...ADA, nested: nested(100 - OUTER_LEVELS) });
    expect((await plan(byDefault, { event })).blockers).toEqual([]);
  });
});

describe('what stands in the way is said:', () => {
  test('the handler does not answer the stand-in', async () => {
    const { blockers, expected } = await plan((event) => (claimsOf(event).given_name === 'Adaq' ? {} : null));
    expect(blockers).toEqual(['The function does not answer the stand-in (exited). Please try again.']);
    expect(expected).toBeNull();
  });

  test.each(['Ada', 'a/b', '..', '', 'a.b', 'a_b', '-a', 'a-', 'a--b', 'x'.repeat(81)])(
    'the name is %p',
    async (name) => {
      const { blockers } = await plan(byDefault, { name });
      expect(blockers).toEqual([
        'The name is not one of a sample: expected at most 80 lower-case letters, digits and hyphens, e.g. entra-guest.',
      ]);
    },
  );

  test.each(['a', '7', 'ab-c7-d', 'x'.repeat(80)])('nothing where the name is %p', async (name) => {
    expect((await plan(byDefault, { name })).blockers).toEqual([]);
  });

  test.each([
    ['adaq', 'adaq'],
    ['login-of-lovelaqes', 'lovelaqe'],
    ['love-laqe', 'love-laqe'],
    ['by-lovelaqe-and-adaq', 'lovelaqe'],
  ])('the name %s has a text of the event: %s', async (name, part) => {
    expect((await plan(byDefault, { name })).blockers).toEqual([
      `The name contains a text of the event, "${part}": choose one that says what the login shows.`,
    ]);
  });

  test.each(['zz-9.json', 'zz-9.expected.json', 'zz-9.outside.json'])('%s is there', async (file) => {
    const there = join(folder, file, 'openidLoggedIn');
    mkdirSync(there, { recursive: true });
    writeFileSync(join(there, file), '');
    const { blockers } = await plan(byDefault, { name: 'zz-9', folder: join(folder, file) });
    expect(blockers).toEqual(['There is a sample of this name already: choose another name.']);
    rmSync(join(folder, file), { recursive: true });
  });
});
