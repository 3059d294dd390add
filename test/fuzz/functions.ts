/** The functions of the built bundle in this process, and what holds of every login, whatever they were called with. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { PROBE_BUNDLE } from '../support/probeBundle.ts';
import { MARKER } from './inputs/json.ts';
import { demand } from './invariant.ts';

type JsonObject = Record<string, unknown>;

export interface Login {
  /** The HTTP status; null where the event was no HTTP request. */
  status: number | null;
  answer: JsonObject;
  /** Whether somebody gets in. */
  isIn: boolean;
  /** As it was logged. */
  reason: string;
  issuer: unknown;
}

/**
 * Calls a function as Lambda does, twice.
 *
 * @param event or its JSON, where that has what no object has
 * @throws where something does not hold that holds of every login
 */
export type Ask = (event: unknown) => Promise<Login>;

export interface Functions {
  openId: Ask;
  saml: Ask;
}

const CONTEXT = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 };
const STATUSES: unknown[] = [200, 400, 401, 413, 415, 422, 500, 504];
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const FIELDS: Readonly<Record<string, string>> = {
  AuthorizedUserResponse: 'affiliation,email,first_name,image_url,last_name,type,user_group_uuids',
  ForbiddenResponse: 'message,type',
  ErrorResponse: 'message,type',
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOT_SHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e]/u;
/** Where everything is set up as it should be, these are mistakes of ours. */
const OUR_MISTAKES = /^(handler|configuration)_/;
const MAX_LINE = 20_000;

export async function loadFunctions(settings: Record<string, string>): Promise<Functions> {
  Object.assign(process.env, settings, { AWS_LAMBDA_LOG_LEVEL: 'DEBUG' });
  const lines = captureLog();
  return { openId: await load('openidLoggedIn', lines), saml: await load('samlLoggedIn', lines) };
}

async function load(name: 'openidLoggedIn' | 'samlLoggedIn', lines: unknown[]): Promise<Ask> {
  const file = join(PROBE_BUNDLE.outdir, 'functions', `${name}.mjs`);
  const { handler } = await import(pathToFileURL(file).href);
  const prototype = ownKeys(Object.prototype);
  const once = async (text: string): Promise<Login> => {
    lines.length = 0;
    const result = await handler(JSON.parse(text), CONTEXT);
    const { status, answer } = responseIn(JSON.parse(JSON.stringify(result)), JSON.parse(text));
    const records = lines.map(recordIn);
    const logins = records.filter(({ event }) => event === 'login');
    demand(logins.length === 1, 'a login has one record');
    const { reason, answer: type, issuer } = logins[0] ?? {};
    demand(type === answer.type, 'the log says what was answered');
    const isIn = answer.type === 'AuthorizedUserResponse';
    demand((reason === 'authorized') === isIn, `the reason: ${reason}`);
    demand(
      !OUR_MISTAKES.test(String(reason)),
      `no mistake of ours, e.g. a mapping that does not load: ${reason}`,
    );
    demand(ownKeys(Object.prototype) === prototype, 'the prototype of all objects is as it was');
    return { status, answer, isIn, reason: String(reason), issuer };
  };
  return async (event) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    const login = await once(text);
    demand(isDeepStrictEqual(await once(text), login), 'the same event has the same answer again');
    return login;
  };
}

/** One of the three responses: bare, or in the envelope that the sender of an HTTP request reads. */
function responseIn(result: unknown, event: unknown): Pick<Login, 'status' | 'answer'> {
  demand(isObject(result), 'the result is an object');
  if (!isObject(event) || !isObject(event.requestContext)) return { status: null, answer: answerIn(result) };
  const { statusCode, body, headers, multiValueHeaders } = result;
  demand(STATUSES.includes(statusCode), `the status is a known one: ${statusCode}`);
  const sent = new Map(Object.entries((multiValueHeaders ?? headers) as JsonObject));
  for (const [name, value] of Object.entries(HEADERS)) {
    demand(String(sent.get(name)) === value, `the header ${name} is ${value}`);
  }
  const answer = answerIn(JSON.parse(String(body)));
  demand(statusCode === 200 || answer.type === 'ErrorResponse', 'another status than 200 is an error');
  return { status: Number(statusCode), answer };
}

function answerIn(value: unknown): JsonObject {
  demand(isObject(value), 'the answer is an object');
  const { type, message, email, first_name, last_name, user_group_uuids } = value;
  const names = Object.keys(value).sort().join();
  demand(names === FIELDS[String(type)], `the answer is one of the three responses, not one of ${names}`);
  if (type === 'AuthorizedUserResponse') {
    demand(/^[^@\s]+@[^@\s]+$/.test(String(email)), 'the address is one');
    for (const name of [first_name, last_name])
      demand(isText(name) && !NOT_SHOWN.test(name), 'a name is a text to be read');
    demand(Array.isArray(user_group_uuids) && user_group_uuids.every(isUuid), 'user groups are UUIDs');
  } else {
    demand(isText(message), 'the message is a text');
    demand(!message.includes(MARKER), 'a refusal repeats nothing that was sent');
  }
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isUuid(value: unknown): boolean {
  return UUID.test(String(value));
}

/** A record as it may stand in the log. */
function recordIn(line: unknown): JsonObject {
  demand(typeof line === 'string' && !/[\r\n]/.test(line), 'a record is one line');
  demand(line.length < MAX_LINE, `a record is shorter than ${line.length} characters`);
  const record: unknown = JSON.parse(line);
  demand(isObject(record), 'a record is an object');
  const { issuer, ...others } = record;
  demand(issuer === undefined || typeof issuer === 'string' || issuer === null, 'the issuer is a text');
  demand(!JSON.stringify(others).includes(MARKER), `nothing that was sent is logged: ${line}`);
  return record;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownKeys(object: object): string {
  return Reflect.ownKeys(object).map(String).join();
}

/** What the bundle writes goes here, for good. */
function captureLog(): unknown[] {
  const lines: unknown[] = [];
  for (const level of ['debug', 'info', 'warn', 'error', 'log'] as const) {
    console[level] = (line: unknown) => lines.push(line);
  }
  return lines;
}
