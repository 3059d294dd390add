/** What leaves: one of the three responses, and nothing else. */
import * as v from 'valibot';
import { LoginError, type ReasonCode } from '../errors.ts';
import { decisionOf, type MadeDecision } from '../profile/decision.ts';
import { type AuthorizedUserResponse, isDefaultMessage, UserLoginResponse } from '../profile/response.ts';
import { isJsonObject, problemsOf } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { showableNames } from '../text.ts';
import type { ExternalId, Login, LoginRequest, Middleware, Outcome } from './login.ts';

/** The reasons of what a handler decides itself. */
const HANDLER_REASONS = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
} as const satisfies Record<UserLoginResponse['type'], ReasonCode>;

/**
 * Validates the handler's response, and makes an `ErrorResponse` of an error.
 *
 * @param names the form of the field names
 */
export function respond({ names }: { names: Settings['responseNames'] }): Middleware {
  function respondValid(request: LoginRequest): void {
    const given = request.response;
    const { login } = request.context;
    const response = withExternalId(readResponse(given), login.externalId);
    const decision = decisionOf(given);
    const dropped = droppedFields(given as object, response);
    login.outcome = {
      type: response.type,
      ...reasonOf(response, decision),
      statusCode: 200,
      details: dropped.length > 0 ? { droppedFields: dropped } : {},
    };
    if (response.type !== 'AuthorizedUserResponse') request.response = refusal(response, decision, login);
    else request.response = names === 'camelCase' ? camelCase(response) : response;
  }

  function respondError(request: LoginRequest): void {
    const { login } = request.context;
    const error =
      request.error instanceof LoginError
        ? request.error
        : new LoginError('internal_error', {}, { cause: request.error });
    const { code: reason, statusCode, details, cause } = error;
    login.outcome = { type: 'ErrorResponse', reason, statusCode, details, trace: null, cause };
    request.response = { type: 'ErrorResponse', message: withReference(error.message, login) };
  }

  return { after: respondValid, onError: respondError };
}

/**
 * Reads each field once, so that a getter cannot show the check one value and the caller another.
 *
 * @throws {LoginError} `answer_invalid` with the path of each mistake
 */
function readResponse(given: unknown): UserLoginResponse {
  const result = parse(given);
  if (result.success) return result.output;
  throw new LoginError('answer_invalid', { problems: problemsIn(given, result.issues) });
}

function parse(given: unknown): v.SafeParseResult<typeof UserLoginResponse> {
  try {
    return v.safeParse(UserLoginResponse, given);
  } catch {
    throw new LoginError('answer_invalid', {
      problems: ['expected an answer that can be read: reading it threw'],
    });
  }
}

function problemsIn(given: unknown, issues: v.BaseIssue<unknown>[]): string[] {
  if (isJsonObject(given)) return problemsOf(issues.map((issue) => withLookAlike(issue, given)));
  const found = given === null ? 'null' : typeof given;
  return problemsOf(issues).map((problem) => `${problem}; found ${found}`);
}

/** A missing field is often there under a name of another spelling: `first_name` as `firstName`. */
function withLookAlike(issue: v.BaseIssue<unknown>, given: object): v.BaseIssue<unknown> {
  const [field, ...deeper] = issue.path ?? [];
  if (!field || deeper.length > 0 || field.value !== undefined) return issue;
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

function unshowableImage(given: { image_url?: unknown }, response: UserLoginResponse): string[] {
  const isLeftOut = response.type === 'AuthorizedUserResponse' && response.image_url === null;
  return isLeftOut && given.image_url ? ['image_url'] : [];
}

/**
 * The response with the identifier that the operator's setting names. One that the handler gave stays.
 *
 * @throws {LoginError} `external_id_missing`
 */
function withExternalId(response: UserLoginResponse, externalId: ExternalId | null): UserLoginResponse {
  if (response.type !== 'AuthorizedUserResponse' || response.external_id !== undefined) return response;
  if (externalId === null) return response;
  const { source, value } = externalId;
  if (value === null) throw new LoginError('external_id_missing', { source });
  return { ...response, external_id: value };
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

/** Words that a custom handler wrote or changed stay as they are. */
function refusal(
  response: Exclude<UserLoginResponse, AuthorizedUserResponse>,
  decision: MadeDecision | undefined,
  login: Login,
): UserLoginResponse {
  const { message } = response;
  const isOurs = decision?.message === message ? !decision.isOperatorsMessage : isDefaultMessage(message);
  return isOurs ? { ...response, message: withReference(message, login) } : response;
}

/** The reference connects what the person reports with the log record. */
function withReference(message: string, { invocation }: Login): string {
  return `${message} (Reference: ${invocation.requestId})`;
}

/** The names that receivers written for the Python SDK read. */
function camelCase(response: AuthorizedUserResponse): Record<string, unknown> {
  const { type, first_name, last_name, email, image_url, affiliation, user_group_uuids } = response;
  const { external_id, external_label } = response;
  return {
    type,
    firstName: first_name,
    lastName: last_name,
    email,
    imageUrl: image_url,
    affiliation,
    userGroupUuids: user_group_uuids,
    ...(external_id !== undefined && { externalId: external_id }),
    ...(external_label !== undefined && { externalLabel: external_label }),
  };
}
