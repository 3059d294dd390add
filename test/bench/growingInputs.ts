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
const MAX_ITEMS = { openidLoggedIn: 99_000, samlLoggedIn: 19_900 };

/** Two combining marks in an order that Unicode changes: to normalize a long run of them is to sort it. */
const MARKS = '\u0301\u0327';

/** Of a text that grows, what repeats, and what stands before and after it. */
const TEXTS: Record<string, [piece: string, before?: string, after?: string]> = {
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
const ITEMS: Record<string, (number: string) => string> = {
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
const OTHER_ITEMS: Record<string, (number: string) => unknown> = {
  objects: (number) => ({ [number]: number }),
  lists: (number) => [[number]],
};

const OF_CLAIMS = 'idToken/otherClaims/';
const OPENID_PLACES = [
  ...['groups', 'realm_access/roles', 'email', 'eduperson_scoped_affiliation', 'department'],
  ...['amr', 'picture', 'name', 'nickname'],
].map((claim) => OF_CLAIMS + claim);
const OPENID_TEXTS = [...OPENID_PLACES, 'idToken/sub', 'idToken/iss', 'idTokenJwt'];
const OPENID_LISTS = [...OPENID_PLACES, 'idToken/aud', `${OF_CLAIMS}profile`];

const AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const ATTRIBUTES = ['memberOf', 'mail', 'displayName', 'givenName', 'department', 'o', AFFILIATION];
const SAML_TEXTS = [
  ...['Issuer', 'Issued', 'Subject/subjectNameID/nameIDValue', 'Subject/subjectNameID/nameIDFormat'],
  'Conditions/conditionsAudienceRestrictions/0/audienceRestrictionAudience/0',
].map((place) => `assertion/assertion${place}`);

/** Puts a value at a place such as `idToken/otherClaims/email`. */
function put<TEvent>(event: TEvent, place: string, value: unknown): TEvent {
  const names = place.split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => {
    at[name] ??= {};
    return at[name] as Json;
  }, event as Json);
  parent[last] = value;
  return event;
}

type Json = Record<string, unknown>;

/** Claims with the names of paths into a list, which is as long as they are, of a person without a profile. */
function claimsAndList(bytes: number) {
  const path = (number: string) => [`list.${number}`, { other: 'x' }];
  const paths = listOf(path, bytes / 2, MAX_ITEMS.openidLoggedIn);
  const list = listOf(() => ({}), bytes / 2, MAX_ITEMS.openidLoggedIn);
  return openIdLogin({
    given_name: null,
    family_name: null,
    email: null,
    ...Object.fromEntries(paths),
    list,
  });
}

/** A login that passes every rule of the handler, with more claims. */
function openIdLogin(claims: Record<string, unknown> = {}): ReturnType<typeof openIdEvent> {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, {
    ...{ email: 'ada@uni.example', eduperson_scoped_affiliation: 'member@uni.example' },
    ...{ roles: ['member-000'], department: 'physics', acr: 'gold', amr: 'hwk' },
    ...{ auth_time: event.idToken.iat, eduperson_assurance: 'low' },
    ...claims,
  });
  return event;
}

/** Only without halves is a name looked for elsewhere. */
function openIdWith(place: string, value: unknown) {
  const halves = place.endsWith('name') ? { given_name: null, family_name: null } : {};
  return put(openIdLogin(halves), place, value);
}

/** One that passes every rule too, but for the attributes of a name. */
function samlLogin(name = '', attributes: readonly ReturnType<typeof attribute>[] = []) {
  const instead = name === 'displayName' ? ['givenName', 'sn'] : [name];
  const own = {
    ...{ givenName: 'Ada', sn: 'Lovelace', mail: 'ada@uni.example', [AFFILIATION]: 'member@uni.example' },
    ...{ Role: 'member-000', department: 'physics', eduPersonAssurance: 'low' },
  };
  return samlEvent([
    ...Object.entries(own)
      .filter(([other]) => !instead.includes(other))
      .map((one) => attribute(...one)),
    ...attributes,
  ]);
}

/** A piece again and again, as many bytes of JSON. */
function textOf([piece, before = '', after = '']: [string, string?, string?], bytes: number): string {
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

/** Each place with each kind of value, under a label of both. */
function crossed<TValue>(places: readonly string[], values: Record<string, TValue>) {
  return places.flatMap((place) =>
    Object.entries(values).map(([name, value]) => [`${place}, ${name}`, place, value] as const),
  );
}

const KINDS = { OpenID: 'openidLoggedIn', SAML: 'samlLoggedIn', HTTP: 'openidLoggedIn' } as const;

function input(
  kind: keyof typeof KINDS,
  label: string,
  event: GrowingInput['event'],
  largest = LARGEST_DIRECT,
): GrowingInput {
  return { label: `${kind}: ${label}`, name: KINDS[kind], largest, event };
}

/** A body that holds the login, and a text that is put in as it is. */
function bodyOf(piece: string, bytes: number): string {
  const text = piece.repeat(bytes / Buffer.byteLength(piece));
  return JSON.stringify(openIdLogin({ more: 'MORE' })).replace('MORE', () => text);
}

const BODIES: Record<string, GrowingInput['event']> = {
  letters: (bytes) => overHttp(bodyOf('a', bytes)),
  'escaped letters': (bytes) => overHttp(bodyOf('\\u0061', bytes)),
  'escaped surrogates': (bytes) => overHttp(bodyOf('\\ud83d\\ude00', bytes)),
  'white space': (bytes) => overHttp(' '.repeat(bytes)),
  'open objects': (bytes) => overHttp('{"a":'.repeat(bytes / 5)),
  'open lists': (bytes) => overHttp('['.repeat(bytes)),
  quotes: (bytes) => overHttp('"'.repeat(bytes)),
  'in base64': (bytes) =>
    overHttp(Buffer.from(bodyOf('a', bytes)).toString('base64'), { isBase64Encoded: true }),
};
const CONTENT_TYPES = { 'plus signs': 'a+', letters: 'json', 'white space': ' ' };
const header = (number: string): [string, string] => [`X-${number}`, 'x'.repeat(50)];

function withType(type: string, headers: [string, string][] = []) {
  const sent = { ...Object.fromEntries(headers), 'content-type': `application/${type}` };
  return overHttp(openIdLogin(), { headers: sent });
}

export const GROWING_INPUTS: GrowingInput[] = [
  ...crossed(OPENID_TEXTS, TEXTS).map(([label, place, text]) =>
    input('OpenID', label, (bytes) => openIdWith(place, textOf(text, bytes))),
  ),
  ...crossed(['name of a claim'], TEXTS).map(([label, , text]) =>
    input('OpenID', label, (bytes) => openIdLogin({ [textOf(text, bytes)]: '' })),
  ),
  ...crossed(OPENID_LISTS, { ...ITEMS, ...OTHER_ITEMS }).map(([label, place, item]) =>
    input('OpenID', `list of ${label}`, (bytes) =>
      openIdWith(place, listOf(item, bytes, MAX_ITEMS.openidLoggedIn)),
    ),
  ),
  ...crossed(['names of claims'], ITEMS).map(([label, , item]) =>
    input('OpenID', label, (bytes) => {
      const names = listOf(item, bytes, MAX_ITEMS.openidLoggedIn);
      return openIdLogin(Object.fromEntries(names.map((name) => [name, ''])));
    }),
  ),
  input('OpenID', 'names of claims, paths into a list', claimsAndList),
  ...crossed(ATTRIBUTES, TEXTS).map(([label, name, text]) =>
    input('SAML', label, (bytes) => samlLogin(name, [attribute(name, textOf(text, bytes))])),
  ),
  ...crossed(ATTRIBUTES, ITEMS).map(([label, name, item]) =>
    input('SAML', `list of ${label}`, (bytes) => {
      const one = (number: string) => attribute(name, item(number));
      return samlLogin(name, listOf(one, bytes, MAX_ITEMS.samlLoggedIn));
    }),
  ),
  ...crossed(SAML_TEXTS, TEXTS).map(([label, place, text]) =>
    input('SAML', label, (bytes) => put(samlLogin(), place, textOf(text, bytes))),
  ),
  ...Object.entries(BODIES).map(([label, body]) => input('HTTP', `body, ${label}`, body, LARGEST_BODY)),
  ...Object.entries(CONTENT_TYPES).map(([label, piece]) =>
    input('HTTP', `content type of ${label}`, (bytes) => withType(piece.repeat(bytes / 4)), LARGEST_HEADERS),
  ),
  input('HTTP', 'many headers', (bytes) => withType('json', listOf(header, bytes, 10_000)), LARGEST_HEADERS),
];

/** What the checks of tokens and assertions read before a handler is asked. */
const CHECKED = /idTokenJwt|idToken\/(?:iss|aud)|assertionIssuer|audienceRestrictionAudience/;

export const CHECKED_INPUTS = GROWING_INPUTS.filter(({ label }) => CHECKED.test(label));
