/** What to change at the provider or in the mapping, for the sources that the mapping in force names. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import { asciiLowerCase, showable } from '../../lib/text.ts';
import type { ExplainedLogin } from './explanation.ts';

type OfKind<TValue> = Readonly<Record<LoginKind, TValue>>;

type ProfileRow = readonly [
  /** The usual names of the field: it is known where they are switched on. */
  usual: RegExp,
  change: string,
  /** Where the provider would send the value: then the person lacks it. */
  ifGranted: string,
  /** Claims that a provider sends where the scope was asked for (OpenID Connect Core 5.4). An attribute that is looked up arrives itself. */
  granted?: RegExp,
];

const PROFILE: OfKind<Readonly<Record<'email' | 'names', ProfileRow>>> = {
  SAML: {
    email: [
      /^(?:mail|urn:oid:0\.9\.2342\.19200300\.100\.1\.3)$/i,
      'Have the provider release mail (urn:oid:0.9.2342.19200300.100.1.3) to this service, or list it in a mapping (docs/mappings.md).',
      'The attribute arrived without a value: enter the address of this person at the provider, or list another attribute in a mapping (docs/mappings.md).',
    ],
    names: [
      /^(?:givenName|sn|displayName|urn:oid:2\.5\.4\.(?:4|42))$/i,
      'Have the provider release givenName and sn, or displayName, to this service, or list it in a mapping (docs/mappings.md).',
      'The attribute arrived without a name that can be used: enter the name of this person at the provider, or list another attribute in a mapping (docs/mappings.md).',
    ],
  },
  OpenID: {
    email: [
      /^email$/,
      'Have the service ask for the scope email and the provider put the claim into the ID token (Keycloak: "Add to ID token" of the mapper; Entra: the optional claim email; ORCID: it sends none, look the address up in its public record). It may be in UserInfo only: docs/look-ups.md.',
      'The scope email was granted: this person has no address at the provider. Enter it there (Keycloak: "Email" of the user), or look it up (docs/look-ups.md).',
      /^email(?:_verified)?$/,
    ],
    names: [
      /^(?:given_name|family_name|name)$/,
      'Have the service ask for the scope profile and the provider put the claims into the ID token (Keycloak: "Add to ID token" of the mappers; Okta: a claim for the ID token, "Always"; Apple: it sends names to the app alone, once, so leave them out of REQUIRED_FIELDS). They may be in UserInfo only: docs/look-ups.md.',
      'The scope profile was granted: this person has no such name at the provider. Enter it there (Keycloak: "First name" and "Last name" of the user), or list another claim in a mapping (docs/mappings.md).',
      /^(?:name|preferred_username|nickname|given_name|family_name|locale|zoneinfo)$/,
    ],
  },
};

/** Whole peoples have no family names, or write a full name without white space. It may also be the name of an account. */
const ONE_NAME =
  'Only one word arrived as the name of this person. Enter first and last name at the provider, or name in last_name of a mapping another source, or a fallback for people with one name (docs/mappings.md).';

/** Of fields without a value, or with one that is refused. */
export function profileFix({ fields, missing, received, kind }: ExplainedLogin): string {
  const arrived = received?.names ?? [];
  const hasFirstName = fields.some(({ field, from }) => field === 'first_name' && from !== null);
  const fixes = missing.map(({ field, tried, hint }) => {
    if (hint !== '') return hint;
    if (field === 'last_name' && hasFirstName && arrived.some((name) => tried.includes(name)))
      return ONE_NAME;
    const [usual, change, ifGranted, granted] = PROFILE[kind][field === 'email' ? 'email' : 'names'];
    if (!tried.some((name) => usual.test(name)))
      return `Have the provider send ${quotedNames(tried, 'or')}, or name in ${field} of the mapping what arrives.`;
    const isGranted = (name: string) => granted?.test(name) ?? isAmong(tried, name);
    return arrived.some(isGranted) ? ifGranted : change;
  });
  return [...new Set(fixes)].join(' ');
}

/** Attributes compare without case. */
function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => asciiLowerCase(one) === asciiLowerCase(name));
}

/** Of many texts the first, and how many more there are. */
export function firstOf<TText>(texts: readonly TText[], count: number): (TText | string)[] {
  const more = texts.length - count;
  return [...texts.slice(0, count), ...(more > 0 ? [`${more} more`] : [])];
}

const MAX_NAMES = 5;

/** E.g. "`realm_access.roles` and `groups`". */
export function quotedNames(names: readonly string[], word: 'and' | 'or'): string {
  const quoted = names.map((name) => `\`${showable(name)}\``);
  const all = firstOf(quoted, MAX_NAMES);
  const last = all.pop() ?? 'nothing';
  return all.length > 0 ? `${all.join(', ')} ${word} ${last}` : last;
}

export const GROUPS_LEFT_OUT: OfKind<string> = {
  SAML: 'Send only the groups that the service needs (Entra: "Attributes & Claims", "Groups assigned to the application"), or look the groups up (docs/look-ups.md).',
  OpenID:
    'Send only the groups that the service needs (Entra: "Token configuration", "Groups assigned to the application"), or have the mapping ask for them (Entra: groups.overage, docs/mappings.md).',
};

/** Where a source of groups is switched on, by its name: the first that fits. */
const SOURCES: OfKind<readonly (readonly [RegExp, string])[]> = {
  OpenID: [
    [
      /^groups$/,
      'Keycloak: a mapper "Group Membership" with "Add to ID token"; Entra: "Token configuration", "Add groups claim"; Okta: a groups claim for the ID token, "Always"',
    ],
    [
      /^realm_access\.roles$/,
      'Keycloak: "Client scopes", "roles", the mapper "realm roles", "Add to ID token"',
    ],
    [
      /^resource_access\./,
      'Keycloak: "Client scopes", "roles", the mapper "client roles", "Add to ID token"',
    ],
    [
      /^roles$/,
      'Keycloak: a mapper "User Realm Role" with "Add to ID token"; Entra: "App roles", assigned under "Users and groups"',
    ],
  ],
  SAML: [
    [/^roles?$/i, 'Keycloak: a mapper "Role list"; Entra: "App roles", assigned under "Users and groups"'],
    [
      /(?:)/,
      'Keycloak: a mapper "Group list"; Entra: "Attributes & Claims", "Add a group claim"; Okta: a group attribute statement',
    ],
  ],
};

/** What has the provider send the groups that it left out, or the sources that did not arrive, by their names in this mapping; empty for none. */
export function groupsFix(sources: readonly SourceTrace[], kind: LoginKind): string {
  if (sources.some(({ gave }) => gave === 'overage')) return GROUPS_LEFT_OUT[kind];
  const absent = absentSources(sources).map(([name = '']) => {
    const [, where] = SOURCES[kind].find(([pattern]) => pattern.test(name)) ?? [];
    return where === undefined ? `\`${name}\`` : `\`${name}\` (${where})`;
  });
  if (absent.length === 0) return '';
  return `Have the provider send ${absent.join(' or ')}, or name in groups.from what arrives.`;
}

/** The names of each source that did not arrive: of names that stand for one, any is enough. */
export function absentSources(sources: readonly SourceTrace[]): string[][] {
  return [...Map.groupBy(sources, ({ from }) => from).values()]
    .filter((all) => all.every(({ gave }) => gave === 'absent'))
    .map((all) => all.map(({ name }) => name));
}
