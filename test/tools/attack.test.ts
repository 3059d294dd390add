/** What the attack of `check` finds in mappings and in handlers of code, and the table of its changes. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { readEvent } from '../../lib/login/event.ts';
import { respond } from '../../lib/login/respond.ts';
import { runHandler } from '../../lib/login/runHandler.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { Decision } from '../../lib/profile/decision.ts';
import { MAPPING } from '../../lib/profile/kind.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { attackOn } from '../../tools/explain/attack/attack.ts';
import { CHANGES } from '../../tools/explain/attack/changes.ts';
import { attackResult } from '../../tools/explain/attack/findings.ts';
import { AttackedLogin } from '../../tools/explain/attack/login.ts';
import { policyOf } from '../../tools/explain/attack/policy.ts';
import type { Judged } from '../../tools/explain/judgedSamples.ts';
import type { SampleEvent } from '../../tools/local/events.ts';
import { eventInside, frozenTimeOf } from '../../tools/local/httpEvent.ts';
import type { InvocationResult } from '../../tools/local/invocation.ts';
import { DECISION, type LogRecord } from '../../tools/local/process/logRecords.ts';
import type { Recording } from '../../tools/local/recordings.ts';
import { kindOf } from '../../tools/shared/functions.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { openIdHandler, samlHandler } from '../profile/decided.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { tableRows, textOf } from '../support/pages.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const CAMPUS = 'https://sso.example.edu/realms/campus';
const PARTNER = 'https://idp.partner.example';
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

function openIdLogin(claims: Record<string, unknown> = {}) {
  const event = openIdEvent();
  event.idToken.iss = CAMPUS;
  const groups = ['staff', 'everyone'];
  const own = { email: 'ada@example.edu', email_verified: true, groups, ...claims };
  Object.assign(event.idToken.otherClaims, own);
  return event;
}

function samlLogin() {
  const event = samlEvent([
    attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.edu', 'mail'),
    attribute('urn:oid:2.5.4.42', 'Ada', 'givenName'),
    attribute('urn:oid:2.5.4.4', 'Lovelace', 'sn'),
    attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.9', 'member@example.edu', 'eduPersonScopedAffiliation'),
  ]);
  event.assertion.assertionIssuer = CAMPUS;
  return event;
}

const EVENTS = { OpenID: openIdLogin, SAML: samlLogin };
const MODELS = { OpenID: OPENID, SAML };
const inDomain = (domain: string) => ({ rules: [{ email_domains: [domain] }] });
const inScope = (domain: string, more: object = { affiliations: ['member'] }) => ({
  rules: [{ scopes: [domain], ...more }, { email_domains: [domain] }],
});

const SOUND = {
  OpenID: {
    issuers: { [CAMPUS]: inDomain('example.edu'), [PARTNER]: inDomain('partner.example') },
    email: { unverified: 'demand_proof' },
    groups: { from: ['groups'] },
    rules: [{ any_group: ['staff'] }, { no_group: ['suspended'] }],
  },
  SAML: { issuers: { [CAMPUS]: inScope('example.edu'), [PARTNER]: inScope('partner.example') } },
} as const satisfies Record<LoginKind, Mapping>;

type Handler = (event: never) => object;
type Row = NonNullable<NonNullable<Mapping['groups']>['table']>[number];

beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(openIdEvent().idToken.iat * 1_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A login through a function whose handler is this one. */
async function invoke(kind: LoginKind, handler: Handler, event: unknown): Promise<InvocationResult> {
  const records: LogRecord[] = [];
  const note = (told: unknown) => {
    const { decision, mapping } = told as { decision: Decision | null; mapping: Mapping };
    if (decision !== null) records.push({ event: DECISION, explanation: decision.explain(), mapping });
  };
  const fn = startedFunction({ kind: MODELS[kind] as never, handler: handler as never });
  subscribe('login-hooks:decision', note);
  const { response, login } = await loginThrough([respond(fn.settings), readEvent(fn, [])], event, {
    handler: runHandler(fn),
  });
  unsubscribe('login-hooks:decision', note);
  const reason = String(login.outcome?.reason);
  const failed = ['handler_threw', 'answer_invalid'].includes(reason) ? reason : null;
  return { response, reason, failed, unavailable: null, records } as InvocationResult;
}

interface Attacked {
  event?: object;
  /** What the handler is made of; null for code. */
  mapping?: Mapping | null;
  /** What is meant to get in. */
  meant?: Readonly<Record<string, string>> | undefined;
  /** How the function is asked; left out, as it is. */
  ask?: (login: Pick<SampleEvent, 'event' | 'recordings'>, module: unknown) => Promise<InvocationResult>;
}

const OWN = { given: 'own', module: 'own' };
const RECORDINGS: Recording[] = [];

/** What is found of an authorized login, and its handler: null for the default one. */
async function attacked(kind: LoginKind, handler: Handler | null, given: Attacked = {}) {
  const { event = EVENTS[kind](), mapping = null, meant = {} } = given;
  const { ask = (login) => invoke(kind, handler ?? openIdHandler({}), login.event) } = given;
  const sample = {
    ...{ functionName: KINDS[kind].functionName, name: 'ada' },
    ...{ event, recordings: RECORDINGS },
  };
  const answered = await invoke(kind, handler ?? openIdHandler({}), event);
  const judged = { sample, answered, handler: handler === null ? null : OWN };
  const attempts = await attackOn({ invoke: ask as never }, async () => mapping)(judged as unknown as Judged);
  return { sample, handler: 'own', meant, attempts };
}

async function attack(...given: Parameters<typeof attacked>) {
  return attackResult([await attacked(...given)]);
}

const handlerOf = (kind: LoginKind, mapping: Mapping): Handler =>
  kind === 'SAML' ? samlHandler(mapping) : openIdHandler(mapping);

/** @param code around the mapping */
async function findingsOf(kind: LoginKind, mapping: Mapping, event = EVENTS[kind](), code?: object) {
  const map = handlerOf(kind, mapping);
  const { findings } = code
    ? await attack(kind, (login) => ({ ...map(login), ...code }), { event })
    : await attack(kind, map, { event, mapping });
  return findings.map(({ level, code }) => `${level} ${code}`);
}

describe('what is tried', () => {
  const targetOf = (mapping: Mapping | null, event = openIdLogin(), isCode = mapping === null) => ({
    login: new AttackedLogin('OpenID', event),
    policy: policyOf(mapping, 'OpenID', CAMPUS, { isCode, isOfAnyIssuer: false }),
    address: 'ada@example.edu',
  });
  const placesOf = (variants: readonly { what: string }[]) =>
    new Set(variants.map(({ what }) => what.split(' in ').at(-1)));

  test('the name of a guest, in the domain of the address, but not on code', () => {
    const guests = (mapping: Mapping | null) =>
      CHANGES.foreign_address.variants(targetOf(mapping)).filter(({ what }) => what === 'name of a guest');
    expect(guests(SOUND.OpenID).map(({ address }) => address)).toEqual(['ada_evil.example#EXT#@example.edu']);
    expect(guests(null)).toEqual([]);
  });

  test('of a mapping inside code, denied groups where the mapping looks, and look-alikes where code may look', () => {
    const mapping = { ...SOUND.OpenID, groups: { from: ['teams'] } };
    const target = targetOf(mapping, openIdLogin({ groups: ['staff'] }), true);
    expect(placesOf(CHANGES.denied_group.variants(target))).toEqual(new Set(['teams']));
    expect(placesOf(CHANGES.look_alike_group.variants(target))).toEqual(new Set(['groups']));
  });

  test('a denied group only in the sources of its rule', () => {
    const rules = [{ no_group: ['closed'], from: ['teams'] }];
    const target = targetOf({ groups: { from: ['groups', 'teams'] }, rules } as Mapping);
    expect(placesOf(CHANGES.denied_group.variants(target))).toEqual(new Set(['teams']));
  });

  test.each(['everyone,suspended', 'everyone;suspended', 'everyone|suspended', 'suspended@idm.example'])(
    'a denied group behind each separator, and with its domain: %s',
    (text) => {
      const tried = CHANGES.denied_group
        .variants(targetOf(SOUND.OpenID))
        .map(({ login }) => JSON.stringify(login.event));
      expect(tried.join()).toContain(`"${text}"`);
    },
  );

  test.each<[string, Omit<Row, 'uuid'>, string, string[]]>([
    ['a whole name', { group: 'staff' }, 'staff', ['staffing', 'nonstaff', 'nonstaff-external', 'STAFF']],
    ['a prefix that ends where a name does', { group: { prefix: 'staff/' } }, 'staff/a', ['STAFF/A']],
    ['a group that nothing grants', { group: 'others' }, 'everyone', []],
  ])('look-alikes of %s', (_, row, given, expected) => {
    const groups = { from: ['groups'], table: [{ ...row, uuid: UUID }] };
    const target = targetOf({ issuers: { [CAMPUS]: {} }, groups }, openIdLogin({ groups: [given] }));
    expect(
      CHANGES.look_alike_group.variants(target).map(({ login }) => login.textsOf(['groups'])[0] ?? ''),
    ).toEqual(expected);
  });
});

test('changed events are asked with the recordings and the handler of their sample, in force or not', async () => {
  const { attempts } = await attacked('OpenID', null, {
    ask({ event, recordings }, module) {
      expect([recordings, module]).toEqual([RECORDINGS, null]);
      return invoke('OpenID', openIdHandler({}), event);
    },
  });
  expect(attempts.length).toBeGreaterThan(20);
});

describe('a mapping with one weakness has one finding more than a sound one', () => {
  const NOTES = ['note another_account', 'note weak_sign_in'];
  test('rules on claims, addresses, assurance and named sources refuse what is changed', async () => {
    const claims = {
      ...{ department: 'physics', level: 2, locked: false },
      ...{ auth_time: 1795255199, acr: '2', amr: ['pwd', 'otp'] },
    };
    const rules = [
      { claim: 'department', is: ['physics'] },
      { claim: 'level', is: [2] },
      { claim: 'locked', is_not: [true, 'TRUE'] },
      { claim: 'sub', is: [openIdEvent().idToken.sub] },
      { emails: ['ada@example.edu'] },
      { no_group: ['closed'], from: ['groups'] },
      { assurance: { acr: ['2'], amr: ['otp'], max_age: '8h' } },
    ];
    const mapping = { ...SOUND.OpenID, rules: [...SOUND.OpenID.rules, ...rules] } as Mapping;
    expect(await findingsOf('OpenID', mapping, openIdLogin(claims))).toEqual(['note another_account']);
  });

  const { OpenID: openid, SAML: saml } = SOUND;
  const { issuers, ...others } = openid;
  const ofIssuers = (more: object) => ({ ...openid, issuers: more }) as Mapping;
  const ofDomain = { ...others, rules: [...openid.rules, { email_domains: ['example.edu'] }] };
  const anySuffix = { claim: 'email', is: [{ suffix: 'example.edu' }] };
  const groups = { from: ['groups'] };
  const ofGroups = (allowed: unknown, denied: unknown) =>
    ({ ...openid, rules: [{ any_group: [allowed] }, { no_group: [denied] }] }) as Mapping;

  const scopeOfOther = { issuers: { ...saml.issuers, [PARTNER]: {} } };
  const OTHER_PREFIX = ofGroups('staff', { prefix: '/suspended/' });
  const PREFIX = ofGroups({ prefix: 'staff' }, 'suspended');
  test.each<[string, LoginKind, Mapping, string | null]>([
    ['nothing', 'OpenID', openid, null],
    ['nothing of SAML', 'SAML', saml, null],
    ['a scope that another issuer asserts', 'SAML', scopeOfOther, 'error listed_issuer'],
    ['one group that is not denied', 'OpenID', OTHER_PREFIX, 'error denied_group'],
    ['a prefix inside a name', 'OpenID', PREFIX, 'error look_alike_group'],
    ['any issuer', 'OpenID', { ...ofDomain, issuers: 'any' }, 'note another_issuer'],
  ])('%s, in a mapping and around it', async (_, kind, mapping, expected) => {
    const all = [...NOTES, expected ?? []].flat().toSorted();
    expect((await findingsOf(kind, mapping)).toSorted()).toEqual(all);
    // As README.md has it: other user groups than those of the mapping.
    const around = { user_group_uuids: [] };
    expect((await findingsOf(kind, mapping, EVENTS[kind](), around)).toSorted()).toEqual(all);
  });

  const addressOfOther = ofIssuers({ ...issuers, [PARTNER]: {} });
  const unbound = ofIssuers({ [CAMPUS]: {} });
  const bySuffix = { ...unbound, rules: [...openid.rules, anySuffix] } as Mapping;
  const absent = {
    ...openid,
    groups: { ...groups, absent: ['groups'] },
    rules: [{ no_group: ['suspended'] }],
  };
  const whole = { ...openid, groups: { ...groups, separator: 'none' as const } };
  const anyAffiliation = { issuers: { ...saml.issuers, [CAMPUS]: inScope('example.edu', {}) } };
  test.each<[string, LoginKind, Mapping, string]>([
    ['no issuers', 'OpenID', ofDomain, 'error another_issuer'],
    ['an address that another issuer asserts', 'OpenID', addressOfOther, 'error listed_issuer'],
    ['no proof', 'OpenID', { ...openid, email: { unverified: 'refuse' } }, 'error unproven_address'],
    ['a suffix that is no domain', 'OpenID', bySuffix, 'error foreign_address'],
    ['no rule on the address', 'OpenID', unbound, 'note foreign_address'],
    ['groups that may be absent', 'OpenID', absent, 'note optional_groups_missing'],
    ['one text', 'OpenID', whole, 'note groups_as_one_text'],
    ['any affiliation', 'SAML', anyAffiliation, 'note other_affiliation'],
  ])('%s', async (_, kind, mapping, expected) => {
    const found = await findingsOf(kind, mapping);
    expect(found.toSorted()).toEqual([...NOTES, expected].toSorted());
  });
});

interface Seen {
  iss: string;
  /** Of an ID token. */
  claims: Record<string, unknown> & { profile?: { emails: string[] }; groups?: string[] };
  /** Of an assertion. */
  values: string[];
  email: string | undefined;
}
/** What the response has beside a name and the address; false for a refusal. */
type Guard = (seen: Seen) => object | false;
interface Saml {
  assertion?: { attribute_statement: { friendly_name: string; value: string }[] };
}

/** A handler of code, for both kinds. */
function guarded(guard: Guard): Handler {
  return ({ id_token: token, assertion }: { id_token?: Seen & { other_claims: Seen['claims'] } } & Saml) => {
    const attributes = assertion?.attribute_statement ?? [];
    const claims = token?.other_claims ?? {};
    const mail = claims.email ?? attributes.find(({ friendly_name }) => friendly_name === 'mail')?.value;
    const [iss, email] = [token?.iss ?? '', mail as string | undefined];
    const more = guard({ iss, claims, values: attributes.map(({ value }) => value), email });
    if (more === false) return { type: 'ForbiddenResponse', message: 'No.' };
    const names = { first_name: 'Ada', last_name: 'Lovelace' };
    return { type: 'AuthorizedUserResponse', ...names, email, user_group_uuids: [], ...more };
  };
}

const ofCampus = ({ iss }: Seen) => iss === CAMPUS;
const ofDomain = ({ email }: Seen) => email?.endsWith('@example.edu') === true;
const isProven = ({ claims }: Seen) => claims.email_verified === true;
const isSound = (seen: Seen) => ofCampus(seen) && ofDomain(seen) && isProven(seen);
const inGroup = ({ claims }: Seen, isIt: (group: string) => boolean) => claims.groups?.some(isIt) === true;
const STAFF = { user_group_uuids: [UUID] };
const errorsIn = ({ findings }: ReturnType<typeof attackResult>) =>
  findings.filter(({ level }) => level === 'error');

describe('code is attacked by issuer and address always, by group and scope where it grants by them', () => {
  const ofAnyIssuer: Guard = (seen) => ofDomain(seen) && isProven(seen) && {};
  const judgingOne: Guard = (seen) => {
    const all = [seen.email ?? []].flat();
    const isIn = all.some((one) => one.endsWith('@example.edu'));
    return ofCampus(seen) && isIn && isProven(seen) && { email: all[0] };
  };
  const staffBy = (isStaff: (group: string) => boolean): Guard => {
    return (seen) => isSound(seen) && (inGroup(seen, isStaff) ? STAFF : {});
  };
  const beginning: Guard = (seen) => seen.iss.startsWith(CAMPUS) && ofAnyIssuer(seen);
  const byPattern: Guard = (seen) => /sso.example.edu\/realms\/campus$/.test(seen.iss) && ofAnyIssuer(seen);
  const endsSo = ({ email }: Seen) => email?.endsWith('example.edu') === true;
  const ending: Guard = (seen) => ofCampus(seen) && endsSo(seen) && isProven(seen) && {};
  const inside: Guard = (seen) =>
    ofCampus(seen) && isProven(seen) && { email: seen.claims.profile?.emails[0] };
  const anyProof: Guard = (seen) =>
    ofCampus(seen) && ofDomain(seen) && Boolean(seen.claims.email_verified) && {};
  const byPart: Guard = (seen) => isSound(seen) && inGroup(seen, (group) => group.includes('staff')) && {};
  const inAnyCase = staffBy((group) => group.toLowerCase() === 'staff');
  const HOSTS = [
    ...['foreign', 'case', 'another realm or tenant', 'before the domain', 'another port'],
    ...['look-alike host', 'user information'],
  ];
  const ALIKE = ['begins in groups', 'ends in groups', 'contains in groups'];
  test.each<[string, Guard, string | null, string[]]>([
    ['takes any issuer', ofAnyIssuer, 'another_issuer', HOSTS],
    ['looks at how the issuer begins', beginning, 'another_issuer', ['trailing slash', 'longer name']],
    ['has a pattern', byPattern, 'another_issuer', ['before the host', 'a dot replaced', 'another scheme']],
    ['looks at how the domain ends', ending, 'foreign_address', ['subdomain', 'prefix']],
    ['judges one address and returns another', judgingOne, 'foreign_address', ['before the own']],
    ['takes any address inside a claim', inside, 'foreign_address', ['another domain', 'look-alike']],
    ['takes any text for a proof', anyProof, 'unproven_address', ['"false"', 'nested']],
    ['looks for a part of a group', byPart, 'look_alike_group', ALIKE],
    ['gives a user group without looking at case', inAnyCase, 'look_alike_group', ['case in groups']],
    ['gives a user group for a whole name', staffBy((group) => group === 'staff'), null, []],
  ])('that %s', async (_, guard, code, what) => {
    const event = openIdLogin({ profile: { emails: ['ada@example.edu'] } });
    const one = await attacked('OpenID', guarded(guard), { event });
    expect(errorsIn(attackResult([one])).map((error) => error.code)).toEqual([code ?? []].flat());
    const wrong = one.attempts.filter(({ outcome }) => outcome === 'wrongly in');
    expect(wrong.map((attempt) => attempt.what)).toEqual(expect.arrayContaining(what));
  });

  const isMember = (value: string) => value.startsWith('member@') && value.endsWith('example.edu');
  test.each<[string, Guard, string[]]>([
    ['that refuses nobody', () => ({}), []],
    ['that looks at a scope', ({ values }) => values.some(isMember) && {}, ['foreign_scope']],
  ])('in SAML too: %s', async (_, guard, more) => {
    const changes = errorsIn(await attack('SAML', guarded(guard))).map(({ code }) => code);
    expect(changes).toEqual(['another_issuer', 'unproven_address', 'foreign_address', ...more]);
  });
});

describe('what proves nothing', () => {
  const throwing =
    (isWell: (seen: Seen) => boolean): Guard =>
    (seen) => {
      if (!isWell(seen)) throw new Error('x');
      return ofDomain(seen) && isProven(seen) && {};
    };

  test('a handler that throws is not tested', async () => {
    const { counts, findings } = await attack('OpenID', guarded(throwing(ofCampus)));
    const message = expect.stringMatching(/^not tested: .*; ada$/);
    const untested = { code: 'another_issuer', level: 'note', subject: 'own', change: null, message };
    expect(findings).toContainEqual(untested);
    expect(counts.notTested).toBeGreaterThan(0);
  });

  test('a login that gets in although another system is not there is not tested', async () => {
    const ask = async (login: Pick<SampleEvent, 'event'>) => ({
      ...(await invoke('OpenID', openIdHandler({}), login.event)),
      unavailable: 'lookup_timed_out: a.example',
    });
    const { attempts } = await attacked('OpenID', null, { ask });
    expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(['not tested']));
  });

  const textOfLogin = ({ iss, claims }: Pick<Seen, 'iss' | 'claims'>) => iss + JSON.stringify(claims);
  const own = textOfLogin({ iss: CAMPUS, claims: openIdLogin().idToken.otherClaims });
  test.each<[string, Guard]>([
    ['no login is authorized', () => false],
    ['the handler throws at every change', throwing((seen) => textOfLogin(seen) === own)],
  ])('nothing is attacked where %s', async (_, guard) => {
    const { findings, attacked: tested } = await attack('OpenID', guarded(guard));
    const subjects = findings.filter(({ code }) => code === 'not_attacked').map((one) => one.subject);
    expect([tested, subjects]).toEqual([[], ['openidLoggedIn', 'own']]);
  });
});

describe('what is meant', () => {
  const MEANT = 'The realm gives its people addresses.';
  const meaning = async (guard: Guard, ...changes: string[]) => {
    const meant = Object.fromEntries(changes.map((change) => [change, MEANT]));
    const result = await attack('OpenID', guarded(guard), { meant });
    return errorsIn(result).map(({ code, message }) => (code === 'excuses_nothing' ? message : code));
  };

  test('is excused by the change', async () => {
    const guard: Guard = (seen) => ofCampus(seen) && isProven(seen) && {};
    expect(await meaning(guard)).toEqual(['foreign_address']);
    expect(await meaning(guard, 'foreign_address')).toEqual([]);
  });

  test('is excused once for all events of a handler, where it is about groups', async () => {
    const rules = [{ any_group: [{ prefix: 'staff' }] }];
    const mapping = { ...SOUND.OpenID, groups: { from: ['groups'], table: [] }, rules } as Mapping;
    const one = await attacked('OpenID', openIdHandler(mapping), { mapping });
    const result = attackResult([{ ...one, meant: { look_alike_group: MEANT } }, one]);
    expect(errorsIn(result)).toEqual([]);
  });

  test.each([
    ['denied_group', 'nothing gets in by this change'],
    ['no_such_change', 'expected one of another_issuer, '],
  ])('excuses nothing by an entry for %s', async (change, problem) => {
    const errors = await meaning((seen) => isSound(seen) && {}, change);
    expect(errors).toEqual([expect.stringContaining(`openidLoggedIn/ada: mayBe.${change}: ${problem}`)]);
  });

  test('is not another issuer, in spite of an entry', async () => {
    const errors = await meaning((seen) => ofDomain(seen) && isProven(seen) && {}, 'another_issuer');
    expect(errors).toEqual(['another_issuer', expect.stringContaining('another issuer cannot be excused')]);
  });
});

test('the worked handlers refuse every change of their samples', async () => {
  let tried = 0;
  for (const { functionName, event, expected, recordings } of await projectSamples()) {
    if (expected?.handler === undefined || recordings !== null) continue;
    if (expected.answer.type !== 'AuthorizedUserResponse') continue;
    const { default: handler } = await import(join(PROJECT, `${expected.handler}.ts`));
    jest.spyOn(Date, 'now').mockReturnValue(frozenTimeOf(event) ?? 0);
    const given = { event: eventInside(event) as object, mapping: handler[MAPPING], meant: expected.mayBe };
    const result = await attack(kindOf(functionName), handler, given);
    expect([expected.handler, errorsIn(result)]).toEqual([expected.handler, []]);
    tried += result.counts.refused;
  }
  expect(tried).toBeGreaterThan(300);
});

test('the page has each change with its cure, and no other', async () => {
  const page = await textOf('docs/check.md');
  const table = page.slice(page.indexOf('| change |'));
  const rows = tableRows(table.slice(0, table.indexOf('\n\n'))).slice(2);
  const changes = Object.entries(CHANGES).map(([name, { cure }]) => [`\`${name}\``, cure]);
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual(changes);
});
