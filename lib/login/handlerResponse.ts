/** What a handler returned, as one of the three responses. */
import * as v from 'valibot';
import type { Invocation } from '../invocation.ts';
import { decisionOf, type MadeDecision } from '../profile/decision.ts';
import type { ResponseSchema, UserLoginResponse } from '../profile/response.ts';
import { LoginError, type ReasonCode } from '../reasons.ts';
import { isJsonObject, problemsOf } from '../schema.ts';
import { showableNames } from '../text.ts';
import type { Login, Outcome } from './login.ts';

/** The reasons of what a handler decides itself. */
const HANDLER_REASONS = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
} as const satisfies Record<UserLoginResponse['type'], ReasonCode>;

export interface Answer extends Pick<Outcome, 'reason' | 'trace'> {
  response: UserLoginResponse;
  /** What a default handler or a mapping decided on it; undefined where neither did. */
  decision: MadeDecision | undefined;
  /** The names of the fields that the handler gave and that do not leave. */
  droppedFields: string[];
}

/**
 * Validates what a handler returned.
 *
 * @throws {LoginError} `answer_invalid` with the path of each mistake
 */
export function readResponse(given: unknown, schema: ResponseSchema): Answer {
  const response = validated(given, schema);
  const decision = decisionOf(given);
  return {
    response,
    decision,
    ...reasonOf(response, decision),
    droppedFields: droppedFields(given as object, response),
  };
}

function validated(given: unknown, schema: ResponseSchema): UserLoginResponse {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw new LoginError('answer_invalid', { problems: problemsIn(given, result.issues) });
}

function problemsIn(given: unknown, issues: v.BaseIssue<unknown>[]): string[] {
  if (isJsonObject(given)) return problemsOf(issues.map((issue) => withLookAlike(issue, given)));
  const found = given === null ? 'null' : typeof given;
  return problemsOf(issues).map((problem) => `${problem}; found ${found}`);
}

/** A missing field is often there under a name of another spelling: `first_name` as `firstName`. */
function withLookAlike(issue: v.BaseIssue<unknown>, given: object): v.BaseIssue<unknown> {
  // Of an object, each issue has one.
  const [field] = issue.path as NonNullable<typeof issue.path>;
  if (field.value !== undefined) return issue;
  const name = String(field.key);
  const { names } = showableNames(Object.keys(given));
  const found = names.find((other) => other !== name && spellingOf(other) === spellingOf(name));
  return found === undefined ? issue : { ...issue, message: `${issue.message}; found ${found}` };
}

function spellingOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The names of the fields that the handler gave and that do not leave. */
function droppedFields(given: object, response: UserLoginResponse): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(response, name));
  const { names, others } = showableNames([...unknown, ...unshowableImage(given, response)]);
  return others === 0 ? names : [...names, `${others} more`];
}

function unshowableImage(
  given: { image_url?: unknown },
  { image_url }: { type: string; image_url?: string | null },
): string[] {
  return image_url === null && given.image_url ? ['image_url'] : [];
}

const TRANSIENT =
  'The NameID is transient: it is another one at each login. Have the provider send a persistent NameID, or another identifier such as subject-id.';
const FOREIGN_SCOPE = 'The scope of the identifier is none of those that the mapping lists for this issuer.';

/**
 * The response with the identifier that the operator's setting names. One that the handler gave stays.
 *
 * @throws {LoginError} `external_id_missing`
 */
export function withExternalId(
  response: UserLoginResponse,
  { externalId, transientId }: Pick<Login, 'externalId' | 'transientId'>,
  { isOwnScope, issuerInFront }: Pick<Invocation, 'isOwnScope' | 'issuerInFront'>,
): UserLoginResponse {
  if (response.type !== 'AuthorizedUserResponse') return response;
  const missing = (source: string, ...problems: string[]) =>
    new LoginError('external_id_missing', { source, ...(problems.length > 0 && { problems }) });
  if (response.external_id !== undefined) {
    if (isTransient(response.external_id.trim(), transientId)) throw missing('handler', TRANSIENT);
    return response;
  }
  if (externalId === null) return response;
  const { source, value, scope } = externalId;
  if (value === null)
    throw missing(source, ...(source === 'persistent_name_id' && transientId !== null ? [TRANSIENT] : []));
  if (scope !== undefined && isOwnScope?.(scope) === false) throw missing(source, FOREIGN_SCOPE);
  return { ...response, external_id: issuerInFront === null ? value : `${issuerInFront}|${value}` };
}

/** Alone, or with the issuer in front. */
function isTransient(identifier: string, transientId: string | null): boolean {
  return transientId !== null && (identifier === transientId || identifier.endsWith(`|${transientId}`));
}

/** Where the handler changed the type of a decision's response, the reason is the handler's own. */
function reasonOf(
  { type }: UserLoginResponse,
  decision: MadeDecision | undefined,
): Pick<Outcome, 'reason' | 'trace'> {
  if (!decision) return { reason: HANDLER_REASONS[type], trace: null };
  const { reason, trace } = decision;
  if (type === decision.type) return { reason, trace };
  return { reason: HANDLER_REASONS[type], trace: () => ({ ...trace(), decided: reason }) };
}
