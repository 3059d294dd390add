/** From a login event to its response: first the profile, then who may log in; and how the decision came about. */

import { currentInvocation } from '../invocation.ts';
import type { LoginKind } from '../kinds.ts';
import { filled, type Sentence } from '../messages/languages.ts';
import { configuration, type RequiredField } from '../settings.ts';
import { inWords, showableNames } from '../text.ts';
import { type Decision, type FieldTrace, type Trace, withDecision } from './decision.ts';
import { ADDRESS_PROBLEMS, type AddressRefusal, isAboutProof } from './fields/addressChoice.ts';
import { eachField, FIELDS, type FieldName, PROFILE_FIELDS, wordsOf } from './fields/fields.ts';
import {
  type FieldLookup,
  type FieldSpec,
  type FoundField,
  fieldLookup,
  findField,
} from './fields/findField.ts';
import { findNames, type NamePolicy } from './fields/findNames.ts';
import { findIdentifier, type IdentifierPolicy } from './fields/identifier.ts';
import { lookAlikeHint, nearIssuer } from './fields/nearestName.ts';
import { DEFAULTS, type DefaultNames, type Reader } from './fields/reader.ts';
import { type Refusal, refused } from './refusal.ts';
import { authorizedUser, type UserLoginResponse } from './response.ts';
import type { AccessDecision, AccessPolicy } from './rules/access.ts';
import type { Messages } from './schema/mappingSchema.ts';
import type { Sources } from './sources.ts';

/** How the logins of one issuer are decided. */
export interface LoginPolicy {
  kind: LoginKind;
  fields: Record<FieldName, FieldLookup>;
  names: NamePolicy['names'];
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  access: AccessPolicy | null;
  identifiers: IdentifierPolicy;
}

interface FieldSpecs extends Record<FieldName, FieldSpec> {
  full_name?: FieldSpec;
}

const FROM_DEFAULTS: FieldSpec = { from: [DEFAULTS], fallback: null };
const NOTHING: FieldSpec = { from: [], fallback: null };

/** What nobody needs to log in is looked for where a mapping says so. */
export const DEFAULT_FIELDS: FieldSpecs = {
  ...eachField((field) => (wordsOf(field) === null ? NOTHING : FROM_DEFAULTS)),
  email: { ...FROM_DEFAULTS, unverified: 'refuse' },
};

export function loginPolicy(
  specs: FieldSpecs,
  defaults: DefaultNames,
  { access, identifiers }: Pick<LoginPolicy, 'access' | 'identifiers'>,
): LoginPolicy {
  const fields = eachField((field) => fieldLookup(field, specs[field], defaults));
  return { kind: defaults.kind, fields, names: namesIn(specs, defaults), access, identifiers };
}

function namesIn(specs: FieldSpecs, defaults: DefaultNames): NamePolicy['names'] {
  const { full_name } = specs;
  const isMade = ({ from }: FieldSpec) =>
    full_name !== undefined || from.some((source) => typeof source !== 'string' && source.use === 'defaults');
  return {
    fullName: fieldLookup('full_name', full_name ?? FROM_DEFAULTS, defaults),
    isFullNameNamed: full_name !== undefined,
    isMade: { first_name: isMade(specs.first_name), last_name: isMade(specs.last_name) },
  };
}

/** What differs between OpenID and SAML: the names that providers use, and how an event is read. */
export interface EventKind<TEvent> {
  names: DefaultNames;
  read(event: TEvent): Reader;
  /** The policy of the default handler. */
  defaultPolicy: LoginPolicy;
  /** Adds to the event what other systems say of the person; left out where none is ever asked. */
  ask?: (event: TEvent, sources: Sources) => Promise<void>;
}

export function eventKind<TEvent>(names: DefaultNames, read: (event: TEvent) => Reader): EventKind<TEvent> {
  const identifiers = { scopedIds: names.scopedIds, isOwnScope: null, withIssuer: false };
  return { names, read, defaultPolicy: loginPolicy(DEFAULT_FIELDS, names, { access: null, identifiers }) };
}

/** Where a mapping's handler has its kind of login. */
export const KIND = Symbol('kind');

/** Where a handler has the mapping that it was made of, for tools that load a built module: each bundle has its own `lib`. */
export const MAPPING = Symbol.for('login-hooks.mapping');

/** The kind of login of a mapping's handler; undefined for any other function, which may read any event. */
export function kindOf(handler: object): LoginKind | undefined {
  return (handler as { [KIND]?: LoginKind })[KIND];
}

/**
 * Decides by the policy of the issuer. Without a policy nobody may log in.
 *
 * @param messages the operator's words for who is refused
 * @param issuers that the mapping lists
 */
export function decideLogin(
  reader: Reader,
  policy: LoginPolicy | null,
  messages: Messages = {},
  issuers: readonly string[] = [],
): UserLoginResponse {
  const decision = policy ? decide(reader, policy, messages) : refuseIssuer(reader, messages, issuers);
  const invocation = currentInvocation();
  // For a handler that copies the response: a copy of an authorized one has no decision.
  if (invocation) {
    invocation.missing = decision.missing;
    invocation.isOwnScope = policy?.identifiers.isOwnScope ?? null;
    invocation.issuerInFront = policy?.identifiers.withIssuer ? reader.issuer : null;
  }
  return withDecision(decision);
}

function refuseIssuer(reader: Reader, messages: Messages, issuers: readonly string[]): Decision {
  const names = reader.allNames();
  const note = nearIssuer('The mapping', issuers, reader.issuer);
  return {
    ...refused({ reason: 'issuer_not_listed' }, messages, reader.preferredLanguage),
    missing: null,
    trace: () => ({ fields: {}, received: showableNames(names), rule: 'issuers', ...note }),
  };
}

function decide(reader: Reader, policy: LoginPolicy, messages: Messages): Decision {
  const { kind, fields, access, identifiers } = policy;
  const isDetailed = logsDetails(kind);
  const { requiredFields } = configuration(kind).settings;
  const foundApart: Partial<Found> = {
    ...findNames(reader, policy),
    external_id: findIdentifier(reader, fields.external_id, identifiers),
  };
  const found = eachField((field) => foundApart[field] ?? findField(reader, fields[field]));
  const missing = (areGroupsMissing = false) =>
    PROFILE_FIELDS.filter((field) =>
      field === 'user_group_uuids' ? areGroupsMissing : found[field].isMissing,
    );
  const names = reader.allNames();
  const profileTrace = () => traceOf(found, names, isDetailed);
  const profile = profileIn(found, requiredFields);
  const refusedFor = (refusal: Refusal) => refused(refusal, messages, reader.preferredLanguage);
  if (profile === null) {
    const trace = withLookAlikes(profileTrace(), requiredFields, reader);
    return { ...refusedFor(incomplete(found, requiredFields)), missing: missing(), trace: () => trace };
  }
  const { email } = profile;
  const address = email === null ? null : { value: email, path: found.email.trace(true).path ?? '' };
  const decided = access?.(reader, address, isDetailed) ?? EVERYBODY;
  const trace = (): Trace => {
    const ofProfile = profileTrace();
    return { ...ofProfile, ...decided.trace(ofProfile.received) };
  };
  const { user_group_uuids, areGroupsMissing } = decided;
  const refusal = decided.refusal ?? (found.external_id.isRefused ? NO_IDENTIFIER : undefined);
  if (refusal) return { ...refusedFor(refusal), missing: missing(areGroupsMissing), trace };
  const response = authorizedUser({ ...profile, user_group_uuids });
  return { response, reason: 'authorized', missing: missing(areGroupsMissing), trace };
}

const NO_IDENTIFIER: Refusal = { reason: 'external_id_refused' };

/** Of a mapping without groups and rules. */
const EVERYBODY: AccessDecision = {
  user_group_uuids: [],
  areGroupsMissing: false,
  // Stryker disable next-line ArrowFunction: nothing is added to the trace either way.
  trace: () => ({}),
};

type Found = Record<FieldName, FoundField>;

/** Null where a required part was not found, or an address was refused. */
function profileIn(found: Found, required: readonly RequiredField[]) {
  if (found.email.isRefused || required.some((field) => found[field].value === null)) return null;
  const { email, first_name, last_name, ...others } = eachField((field) => found[field].value);
  const given = Object.entries(others).flatMap(([field, text]) =>
    text === null ? [] : [[field, text] as const],
  );
  return { first_name, last_name, email, ...Object.fromEntries(given) };
}

/** Of the fields that nobody can do without. */
function withLookAlikes(trace: Trace, required: readonly RequiredField[], reader: Reader): Trace {
  const fields = { ...trace.fields };
  for (const field of required) {
    // Each of them was looked for.
    const one = fields[field] as FieldTrace;
    const untried = trace.received.names.filter((name) => !one.tried.includes(name));
    const hint = lookAlikeHint(field, untried, reader.nestedNames());
    if (one.found === null && !one.note && hint) fields[field] = { ...one, hint };
  }
  return { ...trace, fields };
}

/** Whether the function of this kind writes records of level DEBUG. */
function logsDetails(kind: LoginKind): boolean {
  return ['TRACE', 'DEBUG'].includes(configuration(kind).logging.level);
}

/** Of a profile without a required part, or whose address was refused. What was looked for is in the trace. */
function incomplete(found: Found, required: readonly RequiredField[]): Refusal {
  const { email } = found;
  const problem = email.isRefused ? (email.trace(false).note as AddressRefusal) : undefined;
  const absent = required.filter((field) => found[field].value === null && !found[field].isRefused);
  const sentence: Sentence = (words) => {
    const fields = inWords(
      absent.map((field) => words[FIELDS[field].words]),
      words.and,
    );
    return [
      ...(absent.length > 0 ? [filled(words.not_sent, { fields })] : []),
      ...(problem ? [words[ADDRESS_PROBLEMS[problem].words]] : []),
    ].join(' ');
  };
  return { reason: isAboutProof(problem) ? 'email_unverified' : 'profile_incomplete', sentence };
}

/** @param names of all claims or attributes, as they were: the event is the handler's, who may change it */
function traceOf(found: Found, names: string[], isDetailed: boolean): Trace {
  const fields = Object.entries(found)
    .map(([name, field]) => [name, field.trace(isDetailed)] as const)
    .filter(([, trace]) => trace.tried.length > 0 || trace.found !== null);
  return { fields: Object.fromEntries(fields), received: showableNames(names) };
}
