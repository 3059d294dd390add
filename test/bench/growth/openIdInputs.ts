/** What may grow in an OpenID login: claims, their values, their nesting. */
import { openIdEvent } from '../../support/wire.ts';
import { type GrowingInput, LARGEST_DIRECT } from './input.ts';
import { items, MARKS, numbered, REFUSED_GROUPS, repeated, type Text } from './text.ts';

const OURS = 'ada@uni.example';
/** A free-form value may hold 100,000 values in all. */
const MAX_LIST = 99_000;

type OpenIdEvent = ReturnType<typeof openIdEvent>;

/** A free-form value may hold 100,000 values in all: with this, so many make the largest event. */
const FILLER = 'x'.repeat(60);
/** How deep claims may be nested, less what is around them. */
const DEEPEST = 98;

/** A login that passes every rule. */
export function openIdLogin(claims: Record<string, unknown> = {}): OpenIdEvent {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, {
    email: 'ada@uni.example',
    eduperson_scoped_affiliation: 'member@uni.example',
    roles: ['member-000'],
    department: 'physics',
    acr: 'gold',
    amr: 'hwk',
    auth_time: event.idToken.iat,
    eduperson_assurance: 'low',
    ...claims,
  });
  return event;
}

function growing(label: string, event: GrowingInput['event'], refusal: string | null = null): GrowingInput {
  return { label: `OpenID: ${label}`, name: 'openidLoggedIn', largest: LARGEST_DIRECT, event, refusal };
}

function claims(label: string, make: (bytes: number) => Record<string, unknown>): GrowingInput {
  return growing(label, (bytes) => openIdLogin(make(bytes)));
}

function texts(claim: string, what: string, byLabel: Record<string, Text>): GrowingInput[] {
  return Object.entries(byLabel).map(([label, text]) =>
    claims(`${what}, ${label}`, (bytes) => ({ [claim]: text(bytes) })),
  );
}

function place(label: string, put: (event: OpenIdEvent, bytes: number) => void): GrowingInput {
  return growing(label, (bytes) => {
    const event = openIdLogin();
    put(event, bytes);
    return event;
  });
}

/** An object in an object, so deep. */
function nested(depth: number, inside: unknown): unknown {
  return depth === 0 ? inside : { a: nested(depth - 1, inside) };
}

/** Many values of one field or rule, each of which is looked at and not used. */
const REFUSED_LISTS: GrowingInput[] = [
  refusedList(
    'e-mail addresses that are unverified',
    () => OURS,
    (addresses) => ({
      email: OURS,
      email_verified: false,
      contact: { email: addresses },
    }),
  ),
  refusedList(
    'e-mail addresses, beside a long one',
    () => OURS,
    (addresses, bytes) => ({
      email: 'A'.repeat(bytes),
      email_verified: false,
      contact: { email: addresses, email_verified: false },
    }),
  ),
  refusedList(
    'e-mail addresses with compatibility characters',
    (index) => `${numbered(index)}@ｕni.example`,
    (email) => ({
      email,
    }),
  ),
  refusedList(
    'first names',
    () => '\u0007',
    (nickname) => ({ given_name: null, nickname }),
  ),
  refusedList(
    'last names',
    () => '\u0007',
    (family) => ({ family_name: null, profile: { family } }),
  ),
  refusedList(
    'full names',
    (index) => `${numbered(index)}@uni.example`,
    (name) => ({ given_name: null, family_name: null, name }),
  ),
  refusedList(
    'image URLs',
    () => ' ',
    (picture) => ({ picture }),
  ),
  refusedList(
    'affiliations',
    () => '\u0007',
    (organization) => ({ profile: { organization } }),
  ),
  refusedList(
    'scoped affiliations',
    (index) => `member@${numbered(index)}.${FILLER}`,
    (values) => ({
      eduperson_scoped_affiliation: values,
    }),
  ),
  ...['department', 'amr', 'eduperson_assurance'].map((claim) =>
    refusedList(
      `values of ${claim}`,
      (index) => numbered(index) + FILLER,
      (values) => ({ [claim]: values }),
    ),
  ),
  ...REFUSED_GROUPS.map(([label, text]) =>
    refusedList(
      label,
      (index) => text(numbered(index)) + FILLER,
      (groups) => ({ groups }),
    ),
  ),
  refusedList(
    'groups that are no text',
    (index) => ({ [numbered(index)]: FILLER }),
    (groups) => ({ groups }),
  ),
];

/** Half of the bytes are for the list. */
function refusedList<TItem>(
  label: string,
  make: (index: number) => TItem,
  put: (list: TItem[], bytes: number) => Record<string, unknown>,
): GrowingInput {
  return claims(`many ${label}, each refused`, (bytes) =>
    put(items(bytes / 2, make).slice(0, MAX_LIST), bytes / 2),
  );
}

export const OPENID_INPUTS: GrowingInput[] = [
  ...texts('groups', 'groups as one text', {
    letters: repeated('a'),
    'nearly a forbidden name': repeated('suspended-00'),
    'names with spaces between them': repeated('member-000 '),
    'parts of a distinguished name': repeated('ou=a,', { after: 'dc=example' }),
    'escaped bytes': repeated('\\2c', { before: 'cn=' }),
    'marks out of order': repeated(MARKS, { before: 'e' }),
  }),
  claims('list of groups', (bytes) => ({ groups: items(bytes, (index) => `${numbered(index)}${FILLER}`) })),
  claims('list of distinguished names', (bytes) => ({
    groups: items(
      bytes,
      (index) => `cn=${numbered(index)},ou=groups,ou=more,ou=still-others,dc=uni,dc=example`,
    ),
  })),
  claims('one long distinguished name in a list', (bytes) => ({
    groups: [repeated('ou=groups,', { after: 'dc=uni,dc=example' })(bytes)],
  })),
  claims('list of short groups', (bytes) => ({
    groups: items(bytes, (index) => String(index % 90)).slice(0, MAX_LIST),
  })),
  claims('list of short distinguished names', (bytes) => ({
    groups: items(bytes, (index) => `c=${index % 10}`).slice(0, MAX_LIST),
  })),
  claims('scopes of many labels', (bytes) => ({
    eduperson_scoped_affiliation: items(bytes, (index) => `member@${'a.'.repeat(120)}${numbered(index)}`),
  })),
  claims('list of nested roles', (bytes) => ({
    realm_access: { roles: items(bytes, (index) => `${numbered(index)}${FILLER}`) },
  })),
  claims('list of groups of another type', (bytes) => ({ groups: items(bytes, () => [FILLER.repeat(3)]) })),
  claims('claims that are elsewhere', (bytes) => ({
    _claim_names: Object.fromEntries(items(bytes, (index) => [`${numbered(index)}${FILLER}`, 'src1'])),
  })),
  claims('many claims', (bytes) =>
    Object.fromEntries(items(bytes, (index) => [`${numbered(index)}${FILLER}`, ''])),
  ),
  claims('many claims, and no e-mail address', (bytes) => ({
    ...Object.fromEntries(items(bytes, (index) => [`${numbered(index)}${FILLER}`, ''])),
    email: null,
  })),
  claims('blank departments, deeply nested', (bytes) => ({
    department: items(bytes, () => nested(DEEPEST, ' '.repeat(DEEPEST * 60))),
  })),
  claims('deeply nested claims', (bytes) => ({
    profile: items(bytes, () => nested(DEEPEST, 'x'.repeat(DEEPEST * 60))),
  })),
  growing(
    'claims that are nested too deeply',
    (bytes) => openIdLogin({ profile: nested(Math.min(2_000, Math.floor(bytes / 6)), '') }),
    'event_invalid',
  ),
  claims('a long claim name', (bytes) => ({ ['a.'.repeat(bytes / 2)]: '' })),
  ...texts('email', 'e-mail', {
    'many @': repeated('@'),
    'labels of a domain': repeated('a.', { before: 'a@', after: 'uni.example' }),
    'letters that Unicode composes': repeated('e\u0301', { after: '@uni.example' }),
    'marks out of order': repeated(MARKS, { before: 'a', after: '@uni.example' }),
  }),
  ...REFUSED_LISTS,
  claims('full name, white space', (bytes) => ({
    given_name: null,
    family_name: null,
    name: repeated(' ', { before: 'a', after: 'b' })(bytes),
  })),
  ...texts('nickname', 'first name', {
    'white space': repeated(' '),
    'direction marks': repeated('\u202e'),
    'marks out of order': repeated(MARKS, { before: 'a' }),
  }),
  ...texts('eduperson_scoped_affiliation', 'scoped affiliation', {
    'values in one text': repeated('member@uni.example'),
  }),
  ...texts('picture', 'image URL', {
    'user information': repeated('a:', { before: 'https://', after: '@example.org' }),
    'dot segments': repeated('../', { before: 'https://example.org/' }),
    data: repeated('A', { before: 'data:image/png;base64,' }),
  }),
  place('subject', ({ idToken }, bytes) => {
    idToken.sub = 'a'.repeat(bytes);
  }),
  place('issuer', ({ idToken }, bytes) => {
    idToken.iss = 'a'.repeat(bytes);
  }),
  place('audiences', ({ idToken }, bytes) => {
    idToken.aud = items(bytes, (index) => `${numbered(index)}${FILLER.repeat(6)}`);
  }),
  place('id token text', (event, bytes) => {
    event.idTokenJwt = '.'.repeat(bytes);
  }),
  place('access token', (event, bytes) => {
    event.accessToken = 'a'.repeat(bytes);
  }),
];
