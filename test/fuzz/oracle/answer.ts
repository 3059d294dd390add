/** Whether an answer is one of the three responses, bare or in the envelope that the sender of the event reads. */
import { demand } from './demand.ts';
import { isAddress } from './email.ts';
import { isListOf, isObject, isText, type JsonObject } from './json.ts';
import { isClean, isImageUrl } from './profile.ts';
import { HAS_IDENTIFIER, isRequired } from './required.ts';

const STATUSES = [200, 400, 401, 413, 415, 422, 500, 504];
const FIELDS: Readonly<Record<string, string>> = {
  AuthorizedUserResponse: HAS_IDENTIFIER
    ? 'affiliation,email,external_id,first_name,image_url,last_name,type,user_group_uuids'
    : 'affiliation,email,first_name,image_url,last_name,type,user_group_uuids',
  ForbiddenResponse: 'message,type',
  ErrorResponse: 'message,type',
};
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

export interface Answer extends JsonObject {
  type: 'AuthorizedUserResponse' | 'ForbiddenResponse' | 'ErrorResponse';
}

/** The answer out of a function's result, and the HTTP status, null where the event was no HTTP request. */
export function readResponse(result: unknown, event: unknown): { status: number | null; answer: Answer } {
  demand(isObject(result), 'the result is an object');
  const isHttp = isObject(event) && isObject(event.requestContext);
  if (!isHttp) return { status: null, answer: requireResponse(result) };
  const { statusCode, body, isBase64Encoded } = result;
  demand(typeof statusCode === 'number' && STATUSES.includes(statusCode), 'the status is a known one');
  demand(isText(body), 'the body of the HTTP answer is text');
  demand(isBase64Encoded === false, 'the body of the HTTP answer is as it is');
  requireHeaders(result, event);
  const answer = requireResponse(JSON.parse(body));
  demand(
    statusCode === 200 || answer.type === 'ErrorResponse',
    'another status than 200 is an ErrorResponse',
  );
  return { status: statusCode, answer };
}

function requireHeaders(result: JsonObject, event: JsonObject): void {
  const fromAlb = 'elb' in (event.requestContext as JsonObject);
  const isMultiValue = fromAlb && isObject(event.multiValueHeaders);
  const headers = isMultiValue ? result.multiValueHeaders : result.headers;
  demand(isObject(headers), 'the HTTP answer has headers');
  for (const [name, value] of Object.entries(HEADERS)) {
    const sent = isMultiValue ? (headers[name] as unknown[])[0] : headers[name];
    demand(sent === value, `the HTTP answer's ${name} is ${value}`);
  }
  if (fromAlb) demand(isText(result.statusDescription), 'an answer to ALB has a status description');
}

function requireResponse(value: unknown): Answer {
  demand(isObject(value) && isText(value.type), 'the answer has a type');
  const names = Object.keys(value).sort().join();
  demand(names === FIELDS[value.type], `the answer is one of the three responses, not one of ${names}`);
  if (value.type !== 'AuthorizedUserResponse') demand(isText(value.message), 'the message is a text');
  else requireProfile(value);
  return value as Answer;
}

function requireProfile(profile: JsonObject): void {
  const { email, external_id, image_url, affiliation, user_group_uuids } = profile;
  demand(
    email === null ? !isRequired('email') : isText(email) && isAddress(email),
    'the e-mail address is one',
  );
  demand(!HAS_IDENTIFIER || (isText(external_id) && external_id !== ''), 'the identifier is a text');
  for (const field of ['first_name', 'last_name'] as const) {
    const name = profile[field];
    const isName = name === null ? !isRequired(field) : isText(name) && isClean(name);
    demand(isName, `the ${field} is a text without control characters`);
  }
  demand(
    affiliation === null || (isText(affiliation) && isClean(affiliation)),
    'the affiliation is null or a text without control characters',
  );
  demand(image_url === null || (isText(image_url) && isImageUrl(image_url)), 'the image URL is one, or null');
  demand(isListOf(user_group_uuids, isUuid), 'the user groups are a list of UUIDs');
}

function isUuid(value: unknown): boolean {
  return isText(value) && value.length === 36 && /^[0-9a-f-]+$/.test(value);
}
