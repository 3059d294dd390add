/** What became of a login, in words that hold no value of an event. */
import { isJsonObject } from '../../lib/schema.ts';
import { differencesOf } from '../explain/differences.ts';
import { OWN_WORDS, ownMessage, withoutReference } from '../shared/ownWords.ts';
import type { LoadSample } from './loadSamples.ts';
import type { Received } from './send.ts';

/** `mismatch`: a response of a login function, and not the expected one. */
export type Kind = 'as expected' | 'throttled' | 'mismatch' | 'error' | 'interrupted';

export interface Outcome {
  kind: Kind;
  /** Of the HTTP response; null where none came. */
  status: number | null;
  /** Of the response's body; null where it is no response of a login function. */
  type: string | null;
  /** What was wrong; empty where nothing was. */
  what: string;
}

const TYPES: readonly unknown[] = ['AuthorizedUserResponse', 'ForbiddenResponse', 'ErrorResponse'];
const THROTTLED = 429;
const INVOKED = 200;
/** The names of AWS's errors, e.g. `TooManyRequestsException` and `Sandbox.Timedout`. */
const AWS_ERROR =
  /^(?:[A-Z]\w{1,60}(?:Exception|Error|Failure)|(?:Runtime|Sandbox|Function|Extension)\.\w{1,40})$/;

/** @param isDirect whether Lambda was asked, which has one status for all responses of a function */
export function outcomeOf({ expected }: LoadSample, received: Received, isDirect: boolean): Outcome {
  const { status } = received;
  const body = parsed(received.body);
  const awsError = awsErrorIn(received, body);
  if (status === THROTTLED) return { kind: 'throttled', status, type: null, what: awsError };
  if (!isJsonObject(body) || !TYPES.includes(body.type)) {
    return { kind: 'error', status, type: null, what: awsError || 'no response of a login function' };
  }
  const type = String(body.type);
  const wanted = { status: isDirect ? INVOKED : expected.status, response: comparable(expected.answer) };
  const response = onlyAs(expected.answer, comparable(body));
  const differences = differencesOf(wanted, { status, response }).filter(
    ({ field }) => field !== 'message' || !isTranslated(body),
  );
  if (differences.length === 0) return { kind: 'as expected', status, type, what: '' };
  const fields = differences.map(({ field }) => field).join(', ');
  return { kind: 'mismatch', status, type, what: `differs in ${fields}${saidIn(body)}` };
}

export function withoutResponse(kind: Kind, what: string): Outcome {
  return { kind, status: null, type: null, what };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function awsErrorIn({ headers }: Received, body: unknown): string {
  const [ofService = ''] = String(headers['x-amzn-errortype'] ?? '').split(':');
  const ofFunction = headers['x-amz-function-error'];
  const name = ofFunction && isJsonObject(body) ? String(body.errorType) : ofService;
  return AWS_ERROR.test(name) ? name : ofFunction ? 'the function failed' : '';
}

/** Field names as the events have them, whatever `RESPONSE_NAMES` says, and a message without its reference. */
function comparable(answer: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(answer).map(([name, value]) => [
    name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    name === 'message' ? withoutReference(String(value)) : value,
  ]);
  return Object.fromEntries(fields);
}

/** Fields that the expected response does not have are left out: the settings may add an identifier. */
function onlyAs(expected: Record<string, unknown>, answer: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(comparable(expected));
  return Object.fromEntries(Object.entries(answer).filter(([name]) => names.includes(name)));
}

/** The samples have our words in English; a stage may speak another language. */
function isTranslated({ message }: Record<string, unknown>): boolean {
  return (ownMessage(String(message))?.language ?? 'en') !== 'en';
}

const KNOWN_WORDS = Object.values(OWN_WORDS).flatMap((words): string[] => Object.values(words));

/** What this project says to a person. What a handler says may name the person. */
function saidIn({ message }: Record<string, unknown>): string {
  const words = withoutReference(String(message));
  return KNOWN_WORDS.includes(words) ? `: ${words}` : '';
}
