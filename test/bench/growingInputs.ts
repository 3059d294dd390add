/** What an event may hold, grown to any size: each form of a text, and of an item of a list, in each place for it. */
import { attribute, openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

export interface GrowingInput {
  label: string;
  name: 'openidLoggedIn' | 'samlLoggedIn';
  /** The largest event of this kind that can arrive, in bytes. */
  largest: number;
  /** An event of about so many bytes. */
  event(bytes: number): unknown;
}

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

type Text = readonly [piece: string, before?: string, after?: string];
type Item = (number: string) => unknown;

/** Of a text that grows, what repeats, and what stands before and after it. */
const TEXTS: Record<string, Text> = {
  letters: ['a'],
  'white space': [' ', 'a', 'b'],
  'marks out of order': [MARKS, 'e'],
  'direction marks': ['\u202e'],
  'letters that Unicode makes longer': ['\ufdfa'],
  'nearly a denied name': ['suspended-00'],
  'names with separators': ['member-000; '],
  'parts of a distinguished name': ['ou=a,', '', 'dc=example'],
  'escaped bytes': ['\\2c', 'cn='],
  'percent escapes': ['%73'],
  'segments of a path': ['/suspended'],
  quotes: ['"'],
  brackets: ['['],
  'at signs': ['@'],
  'labels of a domain': ['a.', 'a@', 'uni.example'],
  'parts of a URL': ['../', 'https://example.org/'],
  'parts of a token': ['.'],
};

/** An item of a list that grows, by its number. */
const ITEMS: Record<string, Item> = {
  names: (number) => `group-${number}`,
  'names with separators': (number) => `member-${number};suspended-${number}`,
  paths: (number) => `/suspended/${number}`,
  'percent escapes': (number) => `%73uspended-${number}`,
  'LDAP URLs': (number) => `ldap://h/cn=${number},ou=groups`,
  'distinguished names': (number) => `cn=${number},ou=groups,ou=more,dc=uni,dc=example`,
  'names that cannot be read': (number) => `cn="${number}",ou=groups,`,
  addresses: (number) => `${number}@uni.example`,
  'addresses with compatibility characters': (number) => `${number}@ｕni.example`,
  scopes: (number) => `member@${'a.'.repeat(50)}${number}`,
  'control characters': (number) => `\u0007${number}`,
  'marks out of order': (number) => number + MARKS.repeat(500),
};

/** Not for SAML, whose values are texts. */
const OTHER_ITEMS: Record<string, Item> = {
  objects: (number) => ({ [number]: number }),
  lists: (number) => [[number]],
};

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

/** Places beside claims and attributes, by a path to each. */
const OPENID_PLACES = ['idToken/sub', 'idToken/iss', 'idToken/aud/0', 'idTokenJwt'];
const SAML_PLACES = [
  ...['Issuer', 'Issued', 'Subject/subjectNameID/nameIDValue', 'Subject/subjectNameID/nameIDFormat'],
  'Conditions/conditionsAudienceRestrictions/0/audienceRestrictionAudience/0',
].map((place) => `assertion/assertion${place}`);

function put(event: object, place: string, value: unknown): object {
  const names = place.split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => at[name] as Json, event as Json);
  parent[last] = value;
  return event;
}

type Json = Record<string, unknown>;

/** Claims with the names of paths into a list, which is as long as they are, of a person without a profile. */
function claimsAndList(bytes: number) {
  const paths = listOf((number) => [`list.${number}`, { other: 'x' }] as const, bytes / 2, MAX_ITEMS.claim);
  const list = listOf(() => ({}), bytes / 2, MAX_ITEMS.claim);
  return openIdLogin({ name: null, nickname: null, email: null, ...Object.fromEntries(paths), list });
}

/** A piece again and again, as many bytes of JSON. */
function textOf([piece, before = '', after = '']: Text, bytes: number): string {
  const length = Buffer.byteLength(JSON.stringify(piece)) - 2;
  return before + piece.repeat(Math.max(1, Math.floor(bytes / length))) + after;
}

/** As many items as make so many bytes. */
function listOf<TItem>(make: (number: string) => TItem, bytes: number, most: number): TItem[] {
  const item = (index: number) => make(String(index).padStart(6, '0'));
  const size = Buffer.byteLength(JSON.stringify(item(0))) + 1;
  const count = Math.min(most, Math.max(1, Math.floor(bytes / size)));
  return Array.from({ length: count }, (_, index) => item(index));
}

type MakeEvent = GrowingInput['event'];

function inputs(kind: 'OpenID' | 'SAML' | 'HTTP', largest: number, events: Record<string, MakeEvent>) {
  const name = kind === 'SAML' ? 'samlLoggedIn' : 'openidLoggedIn';
  return Object.entries(events).map(
    ([label, event]) => ({ label: `${kind}: ${label}`, name, largest, event }) as const,
  );
}

/** Each place with each form, under a label of both. */
function crossed<TForm>(
  places: readonly string[],
  forms: Record<string, TForm>,
  eventOf: (place: string, form: TForm, bytes: number) => unknown,
): Record<string, MakeEvent> {
  const events = places.flatMap((place) =>
    Object.entries(forms).map(([name, form]): [string, MakeEvent] => [
      `${place}, ${name}`,
      (bytes) => eventOf(place, form, bytes),
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
    ...crossed(Object.keys(CLAIMS), TEXTS, (claim, text, bytes) =>
      openIdLogin({ [claim]: textOf(text, bytes) }),
    ),
    ...crossed(OPENID_PLACES, TEXTS, (place, text, bytes) => put(openIdLogin(), place, textOf(text, bytes))),
    ...crossed(['name of a claim'], TEXTS, (_, text, bytes) => openIdLogin({ [textOf(text, bytes)]: '' })),
    ...crossed(Object.keys(CLAIMS), { ...ITEMS, ...OTHER_ITEMS }, (claim, item, bytes) =>
      openIdLogin({ [claim]: listOf(item, bytes, MAX_ITEMS.claim) }),
    ),
    ...crossed(['list of audiences'], ITEMS, (_, item, bytes) =>
      put(openIdLogin(), 'idToken/aud', listOf(item, bytes, MAX_ITEMS.claim)),
    ),
    ...crossed(['names of claims'], ITEMS, (_, item, bytes) =>
      openIdLogin(Object.fromEntries(listOf(item, bytes, MAX_ITEMS.claim).map((name) => [name, '']))),
    ),
    'names of claims, paths into a list': claimsAndList,
  }),
  ...inputs('SAML', LARGEST_DIRECT, {
    ...crossed(Object.keys(ATTRIBUTES), TEXTS, (name, text, bytes) =>
      samlLogin({ [name]: textOf(text, bytes) }),
    ),
    ...crossed(SAML_PLACES, TEXTS, (place, text, bytes) => put(samlLogin(), place, textOf(text, bytes))),
    ...crossed(Object.keys(ATTRIBUTES), ITEMS, (name, item, bytes) =>
      samlLogin({ [name]: listOf(item, bytes, MAX_ITEMS.attribute) }),
    ),
  }),
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
const CHECKED = /idTokenJwt|idToken\/(?:iss|aud)|audiences|assertionIssuer|audienceRestrictionAudience/;

export const CHECKED_INPUTS = GROWING_INPUTS.filter(({ label }) => CHECKED.test(label));
