/** What an event may hold, grown to any size: each form of a text, and of an item of a list, in each place for it. */
import { attribute, openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

export interface GrowingInput {
  label: string;
  name: 'openidLoggedIn' | 'samlLoggedIn';
  /** The largest event of this kind that can arrive, in bytes. */
  largest: number;
  /** An event of about so many bytes. */
  event: MakeEvent;
}

type MakeEvent = (bytes: number) => unknown;

/** Lambda's limit for a direct invocation is 6 MB; some of it is for what does not grow. */
const LARGEST_DIRECT = 6 * 1024 * 1024 - 8 * 1024;
/** What an ALB lets through, the most of all ways in over HTTP: API Gateway stops at 10 KB. */
const LARGEST_HEADERS = 64 * 1024;
/** The default of `MAX_BODY_BYTES`. */
const LARGEST_BODY = 256 * 1024 - 8 * 1024;
/** An assertion may have 20,000 attributes. Claims may have any number of items, and this is enough of them. */
const MAX_ITEMS = { claim: 99_000, attribute: 19_900 };

/** Two combining marks in an order that Unicode changes: to normalize a long run of them is to sort it. */
const MARKS = '\u0301\u0327';

/** What grows to so many bytes, and has so many items at most. */
type Form = (bytes: number, most: number) => unknown;

const FORMS: Record<string, Form> = {
  letters: text('a'),
  'white space': text(' ', 'a', 'b'),
  'marks out of order': text(MARKS, 'e'),
  'direction marks': text('\u202e'),
  'letters that Unicode makes longer': text('\ufdfa'),
  'nearly a denied name': text('suspended-00'),
  'names with separators': text('member-000; '),
  'parts of a distinguished name': text('ou=a,', '', 'dc=example'),
  'escaped bytes': text('\\2c', 'cn='),
  'percent escapes': text('%73'),
  'segments of a path': text('/suspended'),
  quotes: text('"'),
  brackets: text('['),
  'at signs': text('@'),
  'labels of a domain': text('a.', 'a@', 'uni.example'),
  'parts of a URL': text('../', 'https://example.org/'),
  'parts of a token': text('.'),
  names: list((number) => `group-${number}`),
  'a list of names with separators': list((number) => `member-${number};suspended-${number}`),
  paths: list((number) => `/suspended/${number}`),
  'a list of percent escapes': list((number) => `%73uspended-${number}`),
  'LDAP URLs': list((number) => `ldap://h/cn=${number},ou=groups`),
  'distinguished names': list((number) => `cn=${number},ou=groups,ou=more,dc=uni,dc=example`),
  'names that cannot be read': list((number) => `cn="${number}",ou=groups,`),
  addresses: list((number) => `${number}@uni.example`),
  'addresses with compatibility characters': list((number) => `${number}@ｕni.example`),
  scopes: list((number) => `member@${'a.'.repeat(50)}${number}`),
  'control characters': list((number) => `\u0007${number}`),
  'a list of marks out of order': list((number) => number + MARKS.repeat(500)),
  objects: list((number) => ({ [number]: number })),
  lists: list((number) => [[number]]),
};

/** A piece again and again, between what stands before and after it, as many bytes of JSON. */
function text(piece: string, before = '', after = ''): Form {
  const length = Buffer.byteLength(JSON.stringify(piece)) - 2;
  return (bytes) => before + piece.repeat(Math.max(1, Math.floor(bytes / length))) + after;
}

/** Items by their numbers. */
function list(make: (number: string) => unknown): Form {
  return (bytes, most) => listOf(make, bytes, most);
}

/** By these, a login passes every rule of the handler. Without halves of a name, it is looked for elsewhere. */
const PERSON = { department: 'physics' };
const CLAIMS: Record<string, unknown> = {
  ...PERSON,
  ...{ email: 'ada@uni.example', eduperson_scoped_affiliation: 'member@uni.example', roles: ['member-000'] },
  ...{ acr: 'gold', amr: 'hwk', auth_time: openIdEvent().idToken.iat, eduperson_assurance: 'low' },
  ...{ name: 'Ada Lovelace', nickname: 'Ada', picture: 'https://uni.example/ada', groups: [], profile: {} },
};
const AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const ATTRIBUTES: Record<string, unknown> = {
  ...PERSON,
  ...{ mail: 'ada@uni.example', [AFFILIATION]: 'member@uni.example', Role: 'member-000' },
  ...{ displayName: 'Ada Lovelace', memberOf: 'staff', o: 'uni', eduPersonAssurance: 'low' },
};

function openIdLogin(claims: Record<string, unknown> = {}) {
  const event = openIdEvent();
  event.idToken.otherClaims = { ...CLAIMS, ...claims };
  return event;
}

/** A list of texts is as many attributes of one name. */
function samlLogin(attributes: Record<string, unknown> = {}) {
  const all = Object.entries({ ...ATTRIBUTES, ...attributes });
  return samlEvent(
    all.flatMap(([name, value]) => [value].flat().map((text) => attribute(name, String(text)))),
  );
}

type Json = Record<string, unknown>;

/** Puts a value in its place, which is a path; in a list, as its only items. */
function put(event: object, place: string, value: unknown): object {
  const names = place.split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => at[name] as Json, event as Json);
  parent[last] = Array.isArray(parent[last]) ? [value].flat() : value;
  return event;
}

/** An event with a value in one place. */
type Place = (value: unknown) => unknown;

function places(names: readonly string[], eventOf: (name: string, value: unknown) => unknown) {
  return Object.fromEntries(names.map((name): [string, Place] => [name, (value) => eventOf(name, value)]));
}

const OPENID_PLACES: Record<string, Place> = {
  ...places(Object.keys(CLAIMS), (claim, value) => openIdLogin({ [claim]: value })),
  ...places(['idToken/sub', 'idToken/iss', 'idToken/aud', 'idTokenJwt'], (path, value) =>
    put(openIdLogin(), path, value),
  ),
  'names of claims': (value) => openIdLogin(Object.fromEntries([value].flat().map((name) => [name, '']))),
};
const SAML_PATHS = [
  ...['Issuer', 'Issued', 'Subject/subjectNameID/nameIDValue', 'Subject/subjectNameID/nameIDFormat'],
  'Conditions/conditionsAudienceRestrictions/0/audienceRestrictionAudience',
];
const SAML_PLACES: Record<string, Place> = {
  ...places(Object.keys(ATTRIBUTES), (name, value) => samlLogin({ [name]: value })),
  ...places(SAML_PATHS, (path, value) => put(samlLogin(), `assertion/assertion${path}`, value)),
};

/** Claims with the names of paths into a list, which is as long as they are, of a person without a profile. */
function claimsAndList(bytes: number) {
  const paths = listOf((number) => [`list.${number}`, { other: 'x' }] as const, bytes / 2, MAX_ITEMS.claim);
  const list = listOf(() => ({}), bytes / 2, MAX_ITEMS.claim);
  return openIdLogin({ name: null, nickname: null, email: null, ...Object.fromEntries(paths), list });
}

/** As many items as make so many bytes. */
function listOf<TItem>(make: (number: string) => TItem, bytes: number, most: number): TItem[] {
  const item = (index: number) => make(String(index).padStart(6, '0'));
  const size = Buffer.byteLength(JSON.stringify(item(0))) + 1;
  const count = Math.min(most, Math.max(1, Math.floor(bytes / size)));
  return Array.from({ length: count }, (_, index) => item(index));
}

function inputs(kind: 'OpenID' | 'SAML' | 'HTTP', largest: number, events: Record<string, MakeEvent>) {
  const name = kind === 'SAML' ? 'samlLoggedIn' : 'openidLoggedIn';
  return Object.entries(events).map(
    ([label, event]) => ({ label: `${kind}: ${label}`, name, largest, event }) as const,
  );
}

/** Each place with each form, under a label of both. */
function crossed(places: Record<string, Place>, most: number): Record<string, MakeEvent> {
  const events = Object.entries(places).flatMap(([place, eventOf]) =>
    Object.entries(FORMS).map(([name, form]): [string, MakeEvent] => [
      `${place}, ${name}`,
      (bytes) => eventOf(form(bytes, most)),
    ]),
  );
  return Object.fromEntries(events);
}

/** A body that holds the login, and a text that is put in as it is. */
function bodyOf(piece: string, bytes: number): string {
  const text = piece.repeat(bytes / Buffer.byteLength(piece));
  return JSON.stringify(openIdLogin({ more: 'MORE' })).replace('MORE', () => text);
}

function withType(type: string, headers: [string, string][] = []) {
  const sent = { ...Object.fromEntries(headers), 'content-type': `application/${type}` };
  return overHttp(openIdLogin(), { headers: sent });
}

export const GROWING_INPUTS: GrowingInput[] = [
  ...inputs('OpenID', LARGEST_DIRECT, {
    ...crossed(OPENID_PLACES, MAX_ITEMS.claim),
    'names of claims, paths into a list': claimsAndList,
  }),
  ...inputs('SAML', LARGEST_DIRECT, crossed(SAML_PLACES, MAX_ITEMS.attribute)),
  ...inputs('HTTP', LARGEST_BODY, {
    'body, letters': (bytes) => overHttp(bodyOf('a', bytes)),
    'body, escaped letters': (bytes) => overHttp(bodyOf('\\u0061', bytes)),
    'body, escaped surrogates': (bytes) => overHttp(bodyOf('\\ud83d\\ude00', bytes)),
    'body, white space': (bytes) => overHttp(' '.repeat(bytes)),
    'body, open objects': (bytes) => overHttp('{"a":'.repeat(bytes / 5)),
    'body, open lists': (bytes) => overHttp('['.repeat(bytes)),
    'body, quotes': (bytes) => overHttp('"'.repeat(bytes)),
    'body, in base64': (bytes) =>
      overHttp(Buffer.from(bodyOf('a', bytes)).toString('base64'), { isBase64Encoded: true }),
  }),
  ...inputs('HTTP', LARGEST_HEADERS, {
    'content type of plus signs': (bytes) => withType('a+'.repeat(bytes / 2)),
    'content type of letters': (bytes) => withType('json'.repeat(bytes / 4)),
    'content type of white space': (bytes) => withType(' '.repeat(bytes)),
    'many headers': (bytes) =>
      withType(
        'json',
        listOf((number) => [`X-${number}`, 'x'.repeat(50)], bytes, 10_000),
      ),
  }),
];

/** What the checks of tokens and assertions read before a handler is asked. */
const CHECKED = /idTokenJwt|idToken\/(?:iss|aud)|Issuer|audienceRestrictionAudience/;

export const CHECKED_INPUTS = GROWING_INPUTS.filter(({ label }) => CHECKED.test(label));
