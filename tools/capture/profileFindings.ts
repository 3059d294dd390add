/** What is missing for a profile, by the explanation of the decision, and what is odd about groups that arrived. */
import type { LoginKind } from '../../lib/kinds.ts';
import { type DefaultNames, type Reader, usedTexts } from '../../lib/profile/fields/reader.ts';
import { formNote } from '../../lib/profile/groups/readGroups.ts';
import type { Kind } from '../../lib/profile/kind.ts';
import type { RequiredField } from '../../lib/settings.ts';
import type { Account, ExplainedField } from '../explain/account.ts';
import type { Finding } from '../shared/finding.ts';
import { error, found, listed, warning } from './findings.ts';

interface Changes {
  email: string;
  names: string;
  verified: string;
  overage: string;
  joined: string;
  noGroups: string;
}

const OR_NAMED = 'or list it in a mapping (docs/mappings.md).';

export const CHANGES: Readonly<Record<LoginKind, Changes>> = {
  SAML: {
    email: `Have the provider release mail (urn:oid:0.9.2342.19200300.100.1.3) to this service, ${OR_NAMED}`,
    names: `Have the provider release givenName and sn, or displayName, to this service, ${OR_NAMED}`,
    verified:
      'Have the person verify the address at the provider. To accept unverified addresses of this issuer, say so in a mapping (docs/mappings.md).',
    overage:
      'Send only the groups that the service needs (Entra: "Attributes & Claims", "Groups assigned to the application"), or look the groups up (docs/look-ups.md).',
    joined:
      'Have the provider send one AttributeValue for each group (Keycloak: "Single Role Attribute" or "Single Group Attribute" off), or set groups.separator (docs/mappings.md).',
    noGroups:
      'Have the provider send the groups (Keycloak: a mapper "Group list"; Entra: "Attributes & Claims", "Add a group claim"; Okta: a group attribute statement).',
  },

  OpenID: {
    email:
      'Have the service ask for the scope email and the provider put the claim into the ID token (Keycloak: "Add to ID token" of the mapper; Entra: the optional claim email; ORCID: it sends none, look the address up in its public record). It may be in UserInfo only: docs/look-ups.md.',
    names:
      'Have the service ask for the scope profile and the provider put the claims into the ID token (Keycloak: "Add to ID token" of the mappers; Okta: a claim for the ID token, "Always"; Apple: it sends names to the app alone, once, so leave them out of REQUIRED_FIELDS). They may be in UserInfo only: docs/look-ups.md.',
    verified:
      'Have the provider verify the address, and say so (Keycloak: "Email verified" of the user, or "Trust email" of the identity provider; Entra: the optional claim xms_edov; Cognito: the attribute mapping of email_verified). To accept unverified addresses of this issuer, say so in a mapping (docs/mappings.md).',
    overage:
      'Send only the groups that the service needs (Entra: "Token configuration", "Groups assigned to the application"), or have the mapping ask for them (Entra: groups.overage, docs/mappings.md).',
    joined:
      'Have the provider send a list of texts (Keycloak: "Multivalued" of the mapper), or set groups.separator (docs/mappings.md).',
    noGroups:
      'Have the provider send the groups (Keycloak: a mapper "Group Membership" with "Add to ID token"; Entra: "Token configuration", "Add groups claim"; Okta: a groups claim for the ID token, "Always").',
  },
};

/** Claims that a provider sends where the scope was asked for: then the person lacks the value (OpenID Connect Core 5.4). */
const OF_SCOPE = {
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username', 'nickname', 'given_name', 'family_name', 'locale', 'zoneinfo'],
} as const;

const FILL_IN = {
  email:
    'The scope email was granted: this person has no address at the provider. Enter it there (Keycloak: "Email" of the user), or look it up (docs/look-ups.md).',
  profile:
    'The scope profile was granted: this person has no such name at the provider. Enter it there (Keycloak: "First name" and "Last name" of the user), or list another claim in a mapping (docs/mappings.md).',
} as const;

type Received = Pick<Account, 'fields' | 'received'>;

/** @param required the fields without which nobody is authorized */
export function fieldFindings(
  { fields, received }: Received,
  kind: LoginKind,
  required: readonly RequiredField[],
): Finding[] {
  const { names: arrivedNames = [], others = 0 } = received ?? {};
  const arrived = `Received: ${listed(arrivedNames)}${others > 0 ? ` and ${others} under other names` : ''}.`;
  const changeOf = (scope: 'email' | 'profile', change: string) =>
    kind === 'OpenID' && OF_SCOPE[scope].some((name) => arrivedNames.includes(name))
      ? FILL_IN[scope]
      : change;
  const absent = fields.filter(({ from }) => from === null);
  const missing = absent.filter(({ field }) => required.some((one) => one === field));
  const names = missing.filter(({ field }) => field !== 'email');
  const email = absent.find(({ field }) => field === 'email');
  const lacksEmail = email !== undefined && (email.note !== '' || missing.includes(email));
  const words = names.map(({ field }) => field.replaceAll('_', ' ')).join(' and no ');
  const alike = names
    .map(({ hint }) => hint)
    .join(' ')
    .trim();
  return found([
    lacksEmail && emailFinding(email, arrived, kind, changeOf('email', CHANGES[kind].email)),
    names.length > 0 &&
      error(
        'profile_incomplete',
        `There is no ${words}. ${arrived}`,
        alike || changeOf('profile', CHANGES[kind].names),
      ),
  ]);
}

/** What the provider says of an address, by the note of the explanation. */
const UNVERIFIED: ReadonlyMap<string, string> = new Map([
  ['unverified', 'says that the e-mail address is not verified'],
  ['unproven', 'does not say that the e-mail address is verified'],
  ['unreadable', 'says neither that the e-mail address is, nor that it is not, verified'],
]);

/** @param ifAbsent what to change where no address arrived, and none that is like one */
function emailFinding(
  { note, hint }: ExplainedField,
  arrived: string,
  kind: LoginKind,
  ifAbsent: string,
): Finding {
  if (note === '') {
    return error('profile_incomplete', `There is no e-mail address. ${arrived}`, hint || ifAbsent);
  }
  const said = UNVERIFIED.get(note);
  if (said) return error('email_unverified', `The provider ${said}.`, CHANGES[kind].verified);
  return error('profile_incomplete', 'No e-mail address that arrived can be used.', hint);
}

/** Attributes and claims that hold groups under other names than the usual ones. */
const GROUP_NAME = /group|role|member|entitlement|affiliation/i;
/** Names of groups rarely have these. DNs and URIs have some of them. */
const SEPARATOR = /[;|,]|\s{2}/;
const DN_OR_URI = /^\s*(?:[\w.]+\s*=|[a-z][\w+.-]*:)/i;

/** Also for a handler that reads them otherwise: a mapping that reads these groups would miss some. */
export function groupFindings<TEvent>({ names, read }: Kind<TEvent>, event: TEvent): Finding[] {
  const reader = read(event);
  const { overage, joined } = CHANGES[names.kind];
  const named = [...names.groups, ...groupNames(reader, names.groups)];
  const joinedNames = named
    .filter((name) => isJoined(usedTexts(reader.occurrences([name]))))
    .map(({ name }) => name);
  const otherForms = named.map((name) => {
    const form = reader.otherForm(name);
    const message = `Groups arrived in a form that is not read: ${name.name}.`;
    return form && warning('groups_unknown', message, formNote(name.name, form));
  });
  return found([
    named.some((name) => reader.hasOverage(name)) &&
      warning('groups_unknown', 'The provider left groups out, as it does for people in many.', overage),
    ...otherForms,
    joinedNames.length > 0 &&
      warning(
        'groups_ambiguous',
        `Several groups seem to arrive as one text: ${listed(joinedNames)}. No row of a mapping matches such a text.`,
        joined,
      ),
  ]);
}

/** Names that arrived, and are like those of groups. */
function groupNames(reader: Reader, known: DefaultNames['groups']): DefaultNames['groups'] {
  const isKnown = new Set(known.map(({ key }) => key));
  return reader
    .allNames()
    .filter((name) => GROUP_NAME.test(name) && name !== 'hasgroups')
    .map((name) => ({ name, key: name.toLowerCase() }))
    .filter(({ key }) => !isKnown.has(key));
}

function isJoined(values: readonly string[]): boolean {
  const [only = '', ...others] = values;
  return others.length === 0 && SEPARATOR.test(only) && !DN_OR_URI.test(only);
}
