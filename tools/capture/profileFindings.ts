/** What is missing for a profile and for groups: the words of the default handler's own decision, and of its reader. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { EventKind } from '../../lib/profile/decide.ts';
import { decisionOf, type FieldTrace, type Trace } from '../../lib/profile/decision.ts';
import { type DefaultNames, type Reader, usedTexts } from '../../lib/profile/reader.ts';
import type { UserLoginResponse } from '../../lib/profile/response.ts';
import { REQUIRABLE_FIELDS, type RequiredField } from '../../lib/settings.ts';
import type { Finding } from './findings.ts';
import { listed, problem, warning } from './findings.ts';
import type { Judging } from './judging.ts';

type Profile = Pick<Judging, 'isDefaultHandler' | 'settings'>;

export interface KindWithProfile<TEvent> extends EventKind<TEvent> {
  defaultHandler(event: TEvent): UserLoginResponse;
}

export function profileFindings<TEvent>(
  { defaultHandler, names, read }: KindWithProfile<TEvent>,
  event: TEvent,
  profile: Profile,
): Finding[] {
  const cures = CURES[names.kind];
  const missing = missingFields(defaultHandler(event), profile, cures);
  return [...missing, ...groupFindings(read(event), names, cures)];
}

interface Cures {
  email: string;
  names: string;
  overage: string;
  joined: string;
}

const OR_NAMED = 'or list it in a mapping (docs/mappings.md).';

export const CURES: Readonly<Record<LoginKind, Cures>> = {
  SAML: {
    email: `Have the provider release mail (urn:oid:0.9.2342.19200300.100.1.3) to this service, ${OR_NAMED}`,
    names: `Have the provider release givenName and sn, or displayName, to this service, ${OR_NAMED}`,
    overage:
      'Entra: in "Attributes & Claims", send only "Groups assigned to the application", or look the groups up (docs/look-ups.md).',
    joined:
      'Have the provider send one AttributeValue for each group. Keycloak: turn "Single Role Attribute" or "Single Group Attribute" off.',
  },

  OpenID: {
    email: `Have the service ask for the scope email and the provider put the claim into the ID token (Keycloak: "Add to ID token" of the mapper; Entra: the optional claim email). It may be in UserInfo only: docs/look-ups.md.`,
    names: `Have the service ask for the scope profile and the provider put the claims into the ID token. They may be in UserInfo only: docs/look-ups.md.`,
    overage:
      'Entra: in "Token configuration", send only "Groups assigned to the application", or have the mapping ask Microsoft Graph (groups.overage).',
    joined: 'Have the provider send a list of texts (Keycloak: "Multivalued" of the mapper).',
  },
};

function missingFields(response: unknown, { isDefaultHandler, settings }: Profile, cures: Cures): Finding[] {
  const decision = decisionOf(response);
  if (decision === undefined || decision.reason === 'authorized') return [];
  const report = isDefaultHandler ? problem : warning;
  return fieldFindings(decision.trace(), report, cures, settings.requiredFields);
}

/** What a trace says of the fields without which nobody is authorized; of those that may be required, where that is not known. */
export function fieldFindings(
  { fields, received }: Trace,
  report: typeof problem,
  cures: Cures,
  required: readonly RequiredField[] = REQUIRABLE_FIELDS,
): Finding[] {
  const others = received.others > 0 ? ` and ${received.others} under other names` : '';
  const arrived = `Received: ${listed(received.names)}${others}.`;
  const absent = required.filter((field) => fields[field]?.found === null);
  const names = absent.filter((field) => field !== 'email');
  const { email } = fields;
  const lacksEmail = email?.found === null && (email.note !== undefined || absent.includes('email'));
  const message = `There is no ${names.join(' and no ').replaceAll('_', ' ')}. ${arrived}`;
  return [
    ...(lacksEmail ? [emailFinding(email, arrived, report, cures)] : []),
    ...(names.length > 0 ? [report('profile_incomplete', message, cures.names)] : []),
  ];
}

const OF_EMAIL: Readonly<Record<NonNullable<FieldTrace['note']>, string>> = {
  unverified: 'The provider says that the e-mail address is not verified.',
  unproven: 'The provider does not say that the e-mail address is verified.',
  ambiguous: 'Several e-mail addresses arrived as one text.',
  invalid: 'The e-mail address cannot be used.',
  compatibility: 'The e-mail address has compatibility characters.',
  too_many: 'There are too many unusable e-mail addresses.',
};

function emailFinding(
  { note, hint }: FieldTrace,
  received: string,
  report: typeof problem,
  cures: Cures,
): Finding {
  const isUnverified = note === 'unverified' || note === 'unproven';
  const message = note ? OF_EMAIL[note] : `There is no e-mail address. ${received}`;
  return report(isUnverified ? 'email_unverified' : 'profile_incomplete', message, hint ?? cures.email);
}

/** Attributes and claims that hold groups under other names than the usual ones. */
const GROUP_NAME = /group|role|member|entitlement|affiliation/i;
/** Names of groups rarely have these. DNs and URIs have some of them. */
const SEPARATOR = /[;|,]|\s{2}/;
const DN_OR_URI = /^\s*(?:[\w.]+\s*=|[a-z][\w+.-]*:)/i;

function groupFindings(reader: Reader, { groups }: DefaultNames, cures: Cures): Finding[] {
  const named = [...groups, ...groupNames(reader, groups)];
  const cut = named.filter((name) => reader.hasOverage(name)).map(({ name }) => name);
  const joined = named.filter((name) => isJoined(usedTexts(reader.places([name])))).map(({ name }) => name);
  return [
    ...(cut.length > 0
      ? [
          warning(
            'groups_unknown',
            `The provider left groups out, or sent them in a form that is not read: ${listed(cut)}.`,
            cures.overage,
          ),
        ]
      : []),
    ...(joined.length > 0
      ? [
          warning(
            'groups_ambiguous',
            `Several groups seem to arrive as one text: ${listed(joined)}. No row of a mapping matches such a text.`,
            cures.joined,
          ),
        ]
      : []),
  ];
}

/** Names that arrived, and are like those of groups. */
function groupNames(reader: Reader, known: DefaultNames['groups']): DefaultNames['groups'] {
  const isKnown = new Set(known.map(({ key }) => key));
  return reader
    .allNames()
    .filter((name) => GROUP_NAME.test(name))
    .map((name) => ({ name, key: name.toLowerCase() }))
    .filter(({ key }) => !isKnown.has(key));
}

function isJoined(values: readonly string[]): boolean {
  const [only = '', ...others] = values;
  return others.length === 0 && SEPARATOR.test(only) && !DN_OR_URI.test(only);
}
