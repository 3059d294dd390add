/** What leaves: one of the three responses, and nothing else. */
import * as v from 'valibot';
import type { Words } from '../messages/en.ts';
import { format, LANGUAGES, lookUpLanguage, type Sentence, wordsIn } from '../messages/languages.ts';
import { type Decision, decisionOf } from '../profile/decision.ts';
import {
  type AuthorizedUserResponse,
  defaultWords,
  type ResponseSchema,
  responseSchema,
  type UserLoginResponse,
} from '../profile/response.ts';
import { asLoginError, LoginError, type ReasonCode, sentenceOf } from '../reasons.ts';
import { isJsonObject, problemsOf } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { showableNames } from '../text.ts';
import type { Facts, LoginRequest, Middleware, Outcome } from './login.ts';

type RefusedResponse = Exclude<UserLoginResponse, AuthorizedUserResponse>;

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
    const given = request.response;
    const valid = validated(given, schema);
    const decision = decisionOf(given as object) ?? null;
    const response = withExternalId(valid, login.facts);
    const outcome = outcomeOf(response, decision, fieldsLeftOut(given as object, response));
    if (response.type !== 'AuthorizedUserResponse') {
      await refuse(request, outcome, ownSentence(response, decision) ?? response.message);
      return;
    }
    login.outcome = outcome;
    request.response = responseNames === 'camelCase' ? camelCase(response) : response;
  }

  async function respondError(request: LoginRequest): Promise<void> {
    const { code: reason, statusCode, details, cause } = asLoginError(request.error);
    const outcome = { type: 'ErrorResponse', reason, statusCode, details, decision: null, cause } as const;
    await refuse(request, outcome, sentenceOf(reason, details));
  }

  /** @param message a sentence of ours, in any language; or what an operator wrote or changed, in which only `{reference}` is replaced */
  async function refuse(request: LoginRequest, outcome: Outcome, message: Sentence | string): Promise<void> {
    const { login } = request.context;
    const preferred = login.facts?.preferredLanguage ?? null;
    const language = lookUpLanguage(preferred, LANGUAGES) ?? messageLanguage;
    login.outcome = { ...outcome, language };
    const { requestId } = login.invocation;
    const isOperators = typeof message === 'string';
    const text = isOperators
      ? message.replaceAll(REFERENCE, requestId)
      : withReference(message, await wordsIn(language), requestId);
    request.response = { type: outcome.type, message: text };
  }

  return { after: respondValid, onError: respondError };
}

/** In an operator's message, the place of the reference, which connects what the person reports with the log record. */
export const REFERENCE = '{reference}';

export function withReference(sentence: Sentence, words: Words, requestId: string): string {
  return `${sentence(words)} ${format(words.reference, { requestId })}`;
}

/** @throws {LoginError} `answer_invalid` with the path of each mistake */
function validated(given: unknown, schema: ResponseSchema): UserLoginResponse {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const found = isJsonObject(given) ? '' : `; found ${given === null ? 'null' : typeof given}`;
  const problems = problemsOf(result.issues).map((problem) => problem + found);
  throw new LoginError('answer_invalid', { problems });
}

/** The names of the fields that the handler gave and that do not leave: unknown ones, and an image that a page should not show. */
function fieldsLeftOut(given: { image_url?: unknown }, response: UserLoginResponse): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(response, name));
  const { image_url }: { type: string; image_url?: string | null } = response;
  const isImageLeftOut = image_url === null && given.image_url;
  const { names, others } = showableNames([...unknown, ...(isImageLeftOut ? ['image_url'] : [])]);
  return others === 0 ? names : [...names, `${others} more`];
}

const TRANSIENT =
  'The NameID is transient: it is another one at each login. Have the provider send a persistent NameID, or another identifier such as subject-id.';

/**
 * The response with the identifier that the operator's setting names. One that the handler or a mapping gave stays.
 *
 * @throws {LoginError} `external_id_missing`
 */
function withExternalId(response: UserLoginResponse, facts: Facts | null): UserLoginResponse {
  if (response.type !== 'AuthorizedUserResponse' || facts === null) return response;
  const { externalId, transientId } = facts;
  if (response.external_id !== undefined) {
    if (isTransient(response.external_id, transientId)) throw unidentified('handler', true);
    return response;
  }
  if (externalId === null) return response;
  const { source, value } = externalId;
  if (value === null) throw unidentified(source, source === 'persistent_name_id' && transientId !== null);
  return { ...response, external_id: value };
}

/** With the issuer in front or without. */
function isTransient(identifier: string, transientId: string | null): boolean {
  return transientId !== null && (identifier === transientId || identifier.endsWith(`|${transientId}`));
}

function unidentified(source: string, isTransient: boolean): LoginError {
  return new LoginError('external_id_missing', { source, ...(isTransient && { problems: [TRANSIENT] }) });
}

/** The reasons of what a handler decides itself. */
export const HANDLER_REASONS = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
} as const satisfies Record<UserLoginResponse['type'], ReasonCode>;

/** Where the handler made a response of another type of a decision, the reason is its own. */
function outcomeOf(
  response: UserLoginResponse,
  decision: Decision | null,
  droppedFields: readonly string[],
): Outcome {
  const { type } = response;
  return {
    type,
    reason: decision?.type === type ? decision.reason : HANDLER_REASONS[type],
    statusCode: 200,
    decision,
    details: {
      ...(type === 'AuthorizedUserResponse' && { groupsGiven: response.user_group_uuids.length }),
      ...(droppedFields.length > 0 && { droppedFields }),
    },
  };
}

/** Ours, where it is what the person reads; null for what an operator wrote or changed. */
function ownSentence({ message }: RefusedResponse, decision: Decision | null): Sentence | null {
  if (decision?.words?.message === message) return decision.words.sentence;
  const key = defaultWords(message);
  return key && ((words) => words[key]);
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
