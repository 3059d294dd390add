/** From a login event to its response: first the profile, then who may log in; and how the decision came about. */

import { currentInvocation } from '../deadline.ts';
import { REASONS } from '../errors.ts';
import { configuration, type LoginKind } from '../settings.ts';
import { inWords, showableNames } from '../text.ts';
import { type Decision, type FieldTrace, type Trace, withDecision } from './decision.ts';
import {
  type FieldLookup,
  type FieldName,
  type FieldSpec,
  type FoundField,
  fieldLookup,
  findField,
} from './fields.ts';
import type { ProfileField } from './missing.ts';
import { DEFAULTS, type DefaultNames, type Reader } from './reader.ts';
import { authorizedUser, error, forbidden, type UserLoginResponse } from './response.ts';
import type { AccessDecision, AccessPolicy } from './rules.ts';

/** How the logins of one issuer are decided. */
export interface LoginPolicy {
  kind: LoginKind;
  fields: Record<FieldName, FieldLookup>;
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  access: AccessPolicy | null;
}

type FieldSpecs = Record<FieldName, FieldSpec>;

const FROM_DEFAULTS: FieldSpec = { from: [DEFAULTS], fallback: null };
const NOTHING: FieldSpec = { from: [], fallback: null };

export const DEFAULT_FIELDS: FieldSpecs = {
  first_name: FROM_DEFAULTS,
  last_name: FROM_DEFAULTS,
  email: { ...FROM_DEFAULTS, unverified: 'refuse' },
  image_url: NOTHING,
  affiliation: NOTHING,
  external_id: NOTHING,
  external_label: NOTHING,
};

export function loginPolicy(
  specs: FieldSpecs,
  defaults: DefaultNames,
  access: AccessPolicy | null = null,
): LoginPolicy {
  const lookup = (field: FieldName) => fieldLookup(field, specs[field], defaults);
  return {
    kind: defaults.kind,
    fields: {
      email: lookup('email'),
      first_name: lookup('first_name'),
      last_name: lookup('last_name'),
      image_url: lookup('image_url'),
      affiliation: lookup('affiliation'),
      external_id: lookup('external_id'),
      external_label: lookup('external_label'),
    },
    access,
  };
}

/** What differs between OpenID and SAML: the names that providers use, and how an event is read. */
export interface EventKind<TEvent> {
  names: DefaultNames;
  read(event: TEvent): Reader;
  /** The policy of the default handler. */
  defaultPolicy: LoginPolicy;
}

export function eventKind<TEvent>(names: DefaultNames, read: (event: TEvent) => Reader): EventKind<TEvent> {
  return { names, read, defaultPolicy: loginPolicy(DEFAULT_FIELDS, names) };
}

/** Where a mapping's handler has its kind of login. */
export const KIND = Symbol('kind');

/** The kind of login of a mapping's handler; undefined for any other function, which may read any event. */
export function kindOf(handler: object): LoginKind | undefined {
  return (handler as { [KIND]?: LoginKind })[KIND];
}

/** Decides by the policy of the issuer. Without a policy nobody may log in. */
export function decideLogin(reader: Reader, policy: LoginPolicy | null): UserLoginResponse {
  const decision = policy ? decide(reader, policy) : refuseIssuer(reader);
  const invocation = currentInvocation();
  // For a handler that copies the response: a copy of an authorized one has no decision.
  if (invocation) invocation.missing = decision.missing;
  return withDecision(decision);
}

function refuseIssuer(reader: Reader): Decision {
  const names = reader.allNames();
  const [, message] = REASONS.issuer_not_listed;
  return {
    response: forbidden(message),
    reason: 'issuer_not_listed',
    missing: null,
    trace: () => ({ fields: {}, received: showableNames(names), rule: 'issuers' }),
  };
}

function decide(reader: Reader, { kind, fields, access }: LoginPolicy): Decision {
  // Taken now: the event is the handler's, who may change it before anybody looks at the trace.
  const names = reader.allNames();
  const isDetailed = logsDetails(kind);
  const missing: ProfileField[] = [];
  const find = (field: FieldName) => {
    const found = findField(reader, fields[field]);
    if (found.isMissing) missing.push(field);
    return found;
  };
  const found = {
    email: find('email'),
    first_name: find('first_name'),
    last_name: find('last_name'),
    image_url: find('image_url'),
    affiliation: find('affiliation'),
    external_id: find('external_id'),
    external_label: find('external_label'),
  };
  const [email, first_name, last_name] = [found.email.value, found.first_name.value, found.last_name.value];
  const made = isDetailed ? traceOf(names, found, isDetailed) : null;
  if (email === null || first_name === null || last_name === null) {
    return incomplete(made ?? traceOf(names, found), missing);
  }
  const { refusal, groups, rules, user_group_uuids, areGroupsMissing }: Partial<AccessDecision> =
    access?.(reader, email, isDetailed) ?? {};
  if (areGroupsMissing) missing.push('user_group_uuids');
  const trace = (): Trace => ({
    ...(made ?? traceOf(names, found)),
    ...(groups && { groups }),
    ...(refusal?.rule !== undefined && { rule: refusal.rule }),
    ...(rules && { rules }),
  });
  if (refusal) {
    const { rule: _, ...decision } = refusal;
    return { ...decision, missing, trace };
  }
  const [external_id, external_label] = [found.external_id.value, found.external_label.value];
  const response = authorizedUser({
    first_name,
    last_name,
    email,
    image_url: found.image_url.value,
    affiliation: found.affiliation.value,
    user_group_uuids,
    ...(external_id !== null && { external_id }),
    ...(external_label !== null && { external_label }),
  });
  return { response, reason: 'authorized', missing, trace };
}

/** Whether the function of this kind writes records of level DEBUG. */
function logsDetails(kind: LoginKind): boolean {
  return ['TRACE', 'DEBUG'].includes(configuration(kind).logging.level);
}

function incomplete(trace: Trace, missing: ProfileField[]): Decision {
  const { found: email, note } = trace.fields.email ?? {};
  return {
    response: error(missingMessage(trace.fields)),
    reason:
      email === null && (note === 'unverified' || note === 'unproven')
        ? 'email_unverified'
        : 'profile_incomplete',
    missing,
    trace: () => trace,
  };
}

function traceOf(names: string[], found: Record<FieldName, FoundField>, isDetailed = false): Trace {
  const fields = Object.entries(found)
    .map(([name, field]) => [name, field.trace(isDetailed)] as const)
    .filter(([, trace]) => trace.tried.length > 0 || trace.found !== null);
  return { fields: Object.fromEntries(fields), received: showableNames(names) };
}

const PROVIDER = 'Your identity provider';
const PARTS = { email: 'e-mail address', first_name: 'first name', last_name: 'last name' } as const;

const REFUSED_ADDRESS: Readonly<Record<string, string>> = {
  unverified: `${PROVIDER} says that your e-mail address is not verified.`,
  unproven: `${PROVIDER} does not say that your e-mail address is verified.`,
  ambiguous: `${PROVIDER} sent several e-mail addresses as one text.`,
  invalid: `${PROVIDER} sent an e-mail address that cannot be used.`,
};

/**
 * What a person reads when a part of the profile is missing. What was looked for and what arrived is in the trace.
 *
 * @param fields the traces of the fields, of which at least one of the three was not found
 */
function missingMessage(fields: Readonly<Record<string, FieldTrace>>): string {
  const refusedAddress = fields.email?.found === null ? REFUSED_ADDRESS[fields.email.note ?? ''] : undefined;
  const missing = Object.entries(PARTS)
    .filter(([field]) => fields[field]?.found === null && !(field === 'email' && refusedAddress))
    .map(([, part]) => part);
  const sentences = missing.length > 0 ? [`${PROVIDER} did not send your ${inWords(missing, 'and')}.`] : [];
  return [...sentences, ...(refusedAddress ? [refusedAddress] : [])].join(' ');
}
