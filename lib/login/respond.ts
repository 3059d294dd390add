/** What leaves: one of the three responses, and nothing else. */

import type { MadeDecision } from '../profile/decision.ts';
import {
  type AuthorizedUserResponse,
  isDefaultMessage,
  responseSchema,
  type UserLoginResponse,
} from '../profile/response.ts';
import { asLoginError } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import { readResponse, withExternalId } from './handlerResponse.ts';
import type { Login, LoginRequest, Middleware } from './login.ts';
import { missingIn } from './missing.ts';

/**
 * Validates the handler's response, and makes an `ErrorResponse` of an error.
 *
 * @param responseNames the form of the field names
 * @param requiredFields those that are not null in an authorized response
 */
export function respond({
  responseNames,
  requiredFields,
}: Pick<Settings, 'responseNames' | 'requiredFields'>): Middleware {
  const schema = responseSchema(requiredFields);

  function respondValid(request: LoginRequest): void {
    const { login } = request.context;
    const { decision, reason, trace, droppedFields, ...answer } = readResponse(request.response, schema);
    login.missing = missingIn(login, decision);
    // A copy of an authorized response has no decision.
    login.grants = (decision ?? login.invocation).grants ?? null;
    const response = withExternalId(answer.response, login, login.invocation);
    login.response = response;
    login.outcome = {
      type: response.type,
      reason,
      trace,
      statusCode: 200,
      details: droppedFields.length > 0 ? { droppedFields } : {},
    };
    if (response.type !== 'AuthorizedUserResponse') request.response = refusal(response, decision, login);
    else request.response = responseNames === 'camelCase' ? camelCase(response) : response;
  }

  function respondError(request: LoginRequest): void {
    const { login } = request.context;
    const error = asLoginError(request.error);
    const { code: reason, statusCode, details, cause } = error;
    login.outcome = { type: 'ErrorResponse', reason, statusCode, details, trace: null, cause };
    request.response = { type: 'ErrorResponse', message: withReference(error.message, login) };
  }

  return { after: respondValid, onError: respondError };
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
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
