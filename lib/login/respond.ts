/** What leaves: one of the three responses, and nothing else. */

import { filled, LANGUAGES, lookUpLanguage, wordsIn } from '../messages/languages.ts';
import type { MadeDecision, OwnWords } from '../profile/decision.ts';
import { PROFILE_FIELDS } from '../profile/fields/fields.ts';
import {
  type AuthorizedUserResponse,
  defaultWords,
  responseSchema,
  type UserLoginResponse,
} from '../profile/response.ts';
import { asLoginError, sentenceOf } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import { readResponse, withExternalId } from './handlerResponse.ts';
import type { Login, LoginRequest, Middleware } from './login.ts';

/**
 * Validates the handler's response, and makes an `ErrorResponse` of an error.
 *
 * @param responseNames the form of the field names
 * @param requiredFields those that are not null in an authorized response
 * @param messageLanguage of our own words, where the person prefers none of theirs
 */
export function respond({
  responseNames,
  requiredFields,
  messageLanguage,
}: Pick<Settings, 'responseNames' | 'requiredFields' | 'messageLanguage'>): Middleware {
  const schema = responseSchema(requiredFields);

  async function respondValid(request: LoginRequest): Promise<void> {
    const { login } = request.context;
    const { decision, reason, trace, droppedFields, ...answer } = readResponse(request.response, schema);
    login.missing = missingIn(login, decision);
    const response = withExternalId(answer.response, login, login.invocation);
    login.outcome = {
      type: response.type,
      reason,
      trace,
      statusCode: 200,
      details: {
        ...(response.type === 'AuthorizedUserResponse' && {
          groupsGiven: response.user_group_uuids.length,
        }),
        ...(droppedFields.length > 0 && { droppedFields }),
      },
    };
    if (response.type === 'AuthorizedUserResponse') {
      request.response = responseNames === 'camelCase' ? camelCase(response) : response;
      return;
    }
    const words = ownWords(response, decision, login);
    request.response = words ? { ...response, message: await said(words, login) } : response;
  }

  async function respondError(request: LoginRequest): Promise<void> {
    const { login } = request.context;
    const error = asLoginError(request.error);
    const { code: reason, statusCode, details, cause } = error;
    login.outcome = { type: 'ErrorResponse', reason, statusCode, details, trace: null, cause };
    const words = { sentence: sentenceOf(reason, details), preferredLanguage: login.preferredLanguage };
    request.response = { type: 'ErrorResponse', message: await said(words, login) };
  }

  /** With the reference, which connects what the person reports with the log record. */
  async function said({ sentence, preferredLanguage }: OwnWords, { invocation }: Login): Promise<string> {
    const words = await wordsIn(lookUpLanguage(preferredLanguage, LANGUAGES) ?? messageLanguage);
    return `${sentence(words)} ${filled(words.reference, { requestId: invocation.requestId })}`;
  }

  return { after: respondValid, onError: respondError };
}

/**
 * The profile fields that were looked for in this login and not found, the identifier that a setting names included; null
 * where nothing was looked for. Where the response has no decision, it is what the last mapping of the login did not find.
 */
function missingIn(
  { invocation, externalId }: Login,
  decision: MadeDecision | undefined,
): readonly string[] | null {
  const missing = decision ? decision.missing : invocation.missing;
  if (externalId === null) return missing;
  if (externalId.value !== null) return missing ?? [];
  return PROFILE_FIELDS.filter((field) => field === 'external_id' || (missing?.includes(field) ?? false));
}

/** The words of a refusal where they are ours; null for what an operator wrote or changed, which stays as it is. */
function ownWords(
  { message }: Exclude<UserLoginResponse, AuthorizedUserResponse>,
  decision: MadeDecision | undefined,
  { preferredLanguage }: Login,
): OwnWords | null {
  if (decision?.message === message) return decision.words ?? null;
  const key = defaultWords(message);
  return key && { sentence: (words) => words[key], preferredLanguage };
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
