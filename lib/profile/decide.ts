/** From a login event to its response: first the profile, then who may log in; and how the decision came about. */

import { format, type Sentence } from '../messages/languages.ts';
import { type Configuration, configuration } from '../readSettings.ts';
import type { RequiredField } from '../settings.ts';
import { inWords, showableNames } from '../text.ts';
import { type CompiledMapping, defaultMapping, type IssuerMapping } from './compiledMapping.ts';
import { type Decision, type Explanation, refused, withDecision } from './decision.ts';
import { ADDRESS_PROBLEMS, type AddressRefusal, isAboutProof } from './fields/addressChoice.ts';
import { type FieldTrace, type FoundField, findField } from './fields/findField.ts';
import { findNames } from './fields/findNames.ts';
import { findIdentifier, type IdentifiedLogin } from './fields/identifier.ts';
import { lookAlikeHint } from './fields/nearestName.ts';
import type { Note } from './fields/nearMiss.ts';
import type { Reader } from './fields/reader.ts';
import type { Kind } from './kind.ts';
import { authorizedUser, type UserLoginResponse } from './response.ts';
import type { AccessDecision, Refusal } from './rules/access.ts';
import { eachField, type FieldName, PROFILE_FIELDS } from './schema/profileFields.ts';

/** Tells tools when a decision begins, and of each decision, also where the handler makes something else of it. On Lambda nobody listens. */
const decisions = process.getBuiltinModule('node:diagnostics_channel').channel('login-hooks:decision');

/** Decides by what the mapping says of the event's issuer. Where it lists others only, nobody may log in. */
export function decideLogin<TEvent>(
  kind: Kind<TEvent>,
  event: TEvent,
  mappingOf: (issuer: string) => IssuerMapping,
  { settings, logging }: Configuration,
): UserLoginResponse {
  // What is read from here on is not read by the code of a handler.
  // Stryker disable next-line ConditionalExpression: where nobody listens, it only saves time.
  if (decisions.hasSubscribers) decisions.publish({ event, decision: null });
  const reader = kind.read(event);
  const issuer = kind.issuerOf(event);
  const { compiled, messages, mapping } = mappingOf(issuer);
  const { outcome, missing, explain } =
    typeof compiled === 'function'
      ? unlisted(reader, compiled)
      : judge(reader, compiled, {
          issuer,
          externalId: kind.identifiersOf(event, settings).externalId,
          requiredFields: settings.requiredFields,
          isDetailed: ['TRACE', 'DEBUG'].includes(logging.level),
        });
  const { response, reason, words } =
    'reason' in outcome
      ? refused(outcome, messages, kind.preferredLanguageOf(event))
      : { response: authorizedUser(outcome), reason: 'authorized' as const, words: null };
  const decision = { type: response.type, reason, words, missing, explain };
  // Stryker disable next-line ConditionalExpression: where nobody listens, it only saves time.
  if (decisions.hasSubscribers) decisions.publish({ event, decision, mapping });
  return withDecision(response, decision);
}

/** As the default handlers do: everybody with a profile may log in. */
export function decideByDefault<TEvent>(kind: Kind<TEvent>, event: TEvent): UserLoginResponse {
  const { names } = kind;
  const compiled = defaultMapping(names);
  const own = configuration(names.kind);
  return decideLogin(kind, event, () => ({ compiled, messages: {}, mapping: null }), own);
}

type Profile = Parameters<typeof authorizedUser>[0];

interface Judged extends Pick<Decision, 'missing' | 'explain'> {
  outcome: Refusal | Profile;
}

/** Of an issuer that the mapping does not list. */
function unlisted(reader: Reader, note: () => Note): Judged {
  const received = showableNames(reader.allNames());
  const explain = () => ({ fields: {}, received, rule: 'issuers', ...note() });
  return { outcome: { reason: 'issuer_not_listed' }, missing: null, explain };
}

interface JudgeOptions extends IdentifiedLogin {
  requiredFields: readonly RequiredField[];
  /** Whether the explanation has what is for level DEBUG. */
  isDetailed: boolean;
}

function judge(reader: Reader, mapping: CompiledMapping, options: JudgeOptions): Judged {
  const { requiredFields, isDetailed } = options;
  const found = findProfile(reader, mapping, options);
  // The event is the handler's, who may change it.
  const names = reader.allNames();
  const refusal = incomplete(found, requiredFields);
  const { email, external_id } = found;
  const address = email.value === null ? null : { value: email.value, path: email.trace.path ?? '' };
  const leaving = { address, identifierScope: external_id.scope ?? null };
  const access = (!refusal && mapping.access?.(reader, leaving, isDetailed)) || EVERYBODY;
  const explain = () => {
    hintAtLookAlikes(found, reader);
    return { ...explanationOf(found, names, isDetailed), ...access.trace() };
  };
  const outcome =
    refusal ??
    access.refusal ??
    (external_id.isRefused ? NO_IDENTIFIER : profileIn(found, access.user_group_uuids));
  // Most logins are authorized, and nobody reads how that came about.
  // Stryker disable next-line ConditionalExpression: where nobody reads it, it only saves time.
  const explanation = 'reason' in outcome || isDetailed ? explain() : null;
  const missing = missingIn(found, access.areGroupsMissing);
  return { outcome, missing, explain: () => explanation ?? explain() };
}

const NO_IDENTIFIER: Refusal = { reason: 'external_id_refused' };

/** Of a mapping without groups and rules. */
const EVERYBODY: AccessDecision = {
  user_group_uuids: [],
  areGroupsMissing: false,
  // Stryker disable next-line ArrowFunction: nothing is added to the explanation either way.
  trace: () => ({}),
};

type Found = Record<FieldName, FoundField>;

function findProfile(reader: Reader, mapping: CompiledMapping, login: IdentifiedLogin): Found {
  const { fields } = mapping;
  const foundApart: Partial<Found> = {
    ...findNames(reader, mapping),
    external_id: findIdentifier(reader, fields.external_id, login),
  };
  return eachField((field) => foundApart[field] ?? findField(reader, fields[field]));
}

function missingIn(found: Found, areGroupsMissing: boolean): Decision['missing'] {
  return PROFILE_FIELDS.filter((field) =>
    field === 'user_group_uuids' ? areGroupsMissing : found[field].isMissing,
  );
}

function profileIn(found: Found, user_group_uuids: string[]): Profile {
  const { email, first_name, last_name, ...others } = eachField((field) => found[field].value);
  const given = Object.entries(others).filter(([, text]) => text !== null);
  return { first_name, last_name, email, ...Object.fromEntries(given), user_group_uuids };
}

/** Null unless a required part was not found, or an address was refused. What was looked for is in the explanation. */
function incomplete(found: Found, required: readonly RequiredField[]): Refusal | null {
  const { email } = found;
  const problem = email.isRefused ? (email.trace.note as AddressRefusal) : undefined;
  const absent = required.filter((field) => found[field].value === null && !found[field].isRefused);
  if (absent.length === 0 && problem === undefined) return null;
  const reason = isAboutProof(problem) ? 'email_unverified' : 'profile_incomplete';
  return { reason, sentence: incompleteSentence(absent, problem) };
}

/** What is said of an incomplete profile: what was not sent, and why an address was refused. */
export function incompleteSentence(
  absent: readonly RequiredField[],
  problem: AddressRefusal | undefined,
): Sentence {
  return (words) => {
    const names = absent.map((field) => words[field]);
    return [
      ...(absent.length > 0 ? [format(words.not_sent, { fields: inWords(names, words.and) })] : []),
      ...(problem ? [words[ADDRESS_PROBLEMS[problem].words]] : []),
    ].join(' ');
  };
}

/** @param names of all claims or attributes, as they arrived */
function explanationOf(found: Found, names: string[], isDetailed: boolean): Explanation {
  const fields = Object.entries(found)
    .filter(([, { trace }]) => trace.tried.length > 0 || trace.found !== null)
    .map(([name, { trace }]) => [name, told(trace, isDetailed)] as const);
  return { fields: Object.fromEntries(fields), received: showableNames(names) };
}

function told({ path, ...trace }: FieldTrace, isDetailed: boolean): FieldTrace {
  return isDetailed ? { ...trace, path } : trace;
}

/** Of fields that did not arrive. */
function hintAtLookAlikes(found: Found, reader: Reader): void {
  for (const [field, { trace, isMissing }] of Object.entries(found)) {
    if (isMissing) trace.hint ??= lookAlikeHint(field as FieldName, trace.tried, reader);
  }
}
