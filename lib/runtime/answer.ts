import * as v from 'valibot';
import { type Decision, decisionOf } from '../automation/profile/decision.ts';
import { isDefaultMessage, UserLoginResponse } from '../automation/response.ts';
import { problemsOf } from '../automation/schema.ts';
import type { LoginFunction } from './coldStart.ts';
import { AnswerInvalid, LoginError, Unforeseen } from './errors.ts';
import type { LoginRequest, Step } from './step.ts';

/** Reason codes of what a handler decided itself. */
const DECIDED = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
} as const;

/**
 * Sees to it that one of the three responses leaves, and nothing else: the handler's, once it is known to be
 * valid, or an `ErrorResponse` for whatever went wrong on the way.
 */
export function answer({ settings }: LoginFunction): Step {
  function checkAndRename(request: LoginRequest): void {
    const response = validate(request.response);
    const dropped = droppedFields(request.response, response);
    request.internal.outcome = {
      answer: response.type,
      reason: passedOn(request)?.reason ?? DECIDED[response.type],
      statusCode: 200,
      details: dropped.length > 0 ? { droppedFields: dropped } : {},
    };
    request.response = wireForm(response, request);
  }

  function answerError(request: LoginRequest): void {
    const error = request.error instanceof LoginError ? request.error : new Unforeseen(request.error);
    request.internal.outcome = {
      answer: 'ErrorResponse',
      reason: error.code,
      statusCode: error.statusCode,
      details: error.details,
      cause: error.cause,
    };
    request.response = { type: 'ErrorResponse', message: withReference(error.message, request) };
  }

  function wireForm(response: UserLoginResponse, request: LoginRequest): Record<string, unknown> {
    if (response.type === 'AuthorizedUserResponse') {
      return settings.responseNames === 'camelCase' ? camelCase(response) : response;
    }
    // What a custom handler wrote is passed on as it is.
    if (!isOurMessage(request, response.message)) return response;
    return { ...response, message: withReference(response.message, request) };
  }

  return { after: checkAndRename, onError: answerError };
}

/** A handler that passes on what a default handler or a mapping decided gives its reason too. */
function passedOn({ event, response }: LoginRequest): Decision | undefined {
  const decision = decisionOf(event);
  return decision && decision.response === response ? decision : undefined;
}

function isOurMessage(request: LoginRequest, message: string): boolean {
  const decision = passedOn(request);
  return decision ? !decision.isOperatorsMessage : isDefaultMessage(message);
}

/** Each field is read once, so that a getter cannot show the check one value and the caller another. */
function validate(response: unknown): UserLoginResponse {
  let result: v.SafeParseResult<typeof UserLoginResponse>;
  try {
    result = v.safeParse(UserLoginResponse, response);
  } catch {
    throw new AnswerInvalid(['expected an answer that can be read: reading it threw']);
  }
  if (!result.success) throw new AnswerInvalid(problemsOf(result.issues));
  return result.output;
}

/** The fields that the handler gave and that do not leave. */
function droppedFields(given: unknown, response: UserLoginResponse): string[] {
  if (response.type !== 'AuthorizedUserResponse' || response.image_url !== null) return [];
  return (given as { image_url?: unknown }).image_url ? ['image_url'] : [];
}

function camelCase(response: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Lets the person who logs in and the operator who reads the log speak of the same login. */
function withReference(message: string, { internal }: LoginRequest): string {
  return `${message} (Reference: ${internal.requestId})`;
}
