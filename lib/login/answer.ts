import { LoginError } from '../errors.ts';
import { decisionOf, type MadeDecision } from '../profile/decision.ts';
import {
  type AuthorizedUserResponse,
  isDefaultMessage,
  type UserLoginResponse,
} from '../profile/response.ts';
import type { LoginFunction } from './coldStart.ts';
import { withExternalId } from './externalId.ts';
import { readAnswer } from './readAnswer.ts';
import type { LoginRequest, Outcome, Step } from './step.ts';

/** Reason codes of what a handler decided itself. */
const HANDLER_REASONS = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
} as const;

/**
 * Sees to it that one of the three responses leaves, and nothing else: the handler's, once it is known to be
 * valid, or an `ErrorResponse` for whatever went wrong on the way.
 */
export function answer({ name, settings, handlerSource, log }: LoginFunction): Step {
  let hasWarned = false;

  function checkAndRename(request: LoginRequest): void {
    const { response: given, droppedFields } = readAnswer(request.response);
    const response = withExternalId(given, request.internal.externalId);
    const decision = decisionOf(request.response);
    if (droppedFields.length > 0) warnOnce(droppedFields);
    request.internal.outcome = {
      answer: response.type,
      ...whyOf(response, decision),
      statusCode: 200,
      details: droppedFields.length > 0 ? { droppedFields } : {},
    };
    request.response = wireForm(response, decision, request);
  }

  /** Each login's record names them; a warning a process is enough to notice. */
  function warnOnce(droppedFields: string[]): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn({ event: 'answer_fields_dropped', function: name, handler: handlerSource, droppedFields });
  }

  function answerError(request: LoginRequest): void {
    const error =
      request.error instanceof LoginError
        ? request.error
        : new LoginError('internal_error', {}, { cause: request.error });
    request.internal.outcome = {
      answer: 'ErrorResponse',
      reason: error.code,
      statusCode: error.statusCode,
      details: error.details,
      trace: null,
      cause: error.cause,
    };
    request.response = { type: 'ErrorResponse', message: withReference(error.message, request) };
  }

  function wireForm(
    response: UserLoginResponse,
    decision: MadeDecision | undefined,
    request: LoginRequest,
  ): Record<string, unknown> {
    if (response.type === 'AuthorizedUserResponse') {
      return settings.responseNames === 'camelCase' ? camelCase(response) : response;
    }
    // Words that a custom handler wrote or changed stay as they are.
    if (!isOurMessage(response.message, decision)) return response;
    return { ...response, message: withReference(response.message, request) };
  }

  return { after: checkAndRename, onError: answerError };
}

/** Of an answer whose type the handler changed, the reason is the handler's own. */
function whyOf(
  { type }: UserLoginResponse,
  decision: MadeDecision | undefined,
): Pick<Outcome, 'reason' | 'trace'> {
  if (!decision) return { reason: HANDLER_REASONS[type], trace: null };
  const { reason, trace } = decision;
  if (type === decision.type) return { reason, trace };
  return { reason: HANDLER_REASONS[type], trace: () => ({ ...trace(), decided: reason }) };
}

function isOurMessage(message: string, decision: MadeDecision | undefined): boolean {
  if (decision?.message === message) return !decision.isOperatorsMessage;
  return isDefaultMessage(message);
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

/** Lets the person who logs in and the operator who reads the log speak of the same login. */
function withReference(message: string, { internal }: LoginRequest): string {
  return `${message} (Reference: ${internal.requestId})`;
}
