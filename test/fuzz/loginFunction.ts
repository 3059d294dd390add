/** A function of the built bundle in this process, and what holds of every login, whatever it was called with. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from '../../tools/bundle/build.ts';
import type { FunctionName } from '../support/bundle.ts';
import { type Answer, readResponse } from './oracle/answer.ts';
import { demand } from './oracle/demand.ts';
import type { JsonObject } from './oracle/json.ts';
import { type LoginRecord, MARKER, readLine, readLog } from './oracle/logged.ts';
import { type MayPass, requireOutcome } from './oracle/outcome.ts';

/** Of an invocation that has time enough. */
export const CONTEXT = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 };

/** How many have logged in so far: of properties that let nobody in, few would be true of much. */
export const count = { authorized: 0 };

interface Login {
  /** The HTTP status, null where the event was no HTTP request. */
  status: number | null;
  answer: Answer;
  record: LoginRecord;
}

export interface LoginFunction {
  name: FunctionName;
  /**
   * Calls the function with an event as JSON, as Lambda does.
   *
   * @throws {Broken} where something does not hold that holds of every login
   */
  login(eventText: string): Promise<Login>;
  /** Only calls the function, with a context of its own: others may be running. */
  answer(eventText: string, context: typeof CONTEXT): Promise<Answer>;
  /** What the process logged since this was last called. */
  takeLog(): JsonObject[];
}

export interface LoadOptions {
  /** Of the bundle. */
  root?: string;
  /** What the checks say that are on. */
  mayPass?: MayPass;
}

export async function loadFunction(
  name: FunctionName,
  { root = DIST, mayPass = () => true }: LoadOptions = {},
): Promise<LoginFunction> {
  const lines = captureLog();
  const { handler } = await import(pathToFileURL(join(root, 'functions', `${name}.mjs`)).href);
  const prototype = ownKeys(Object.prototype);

  async function login(eventText: string): Promise<Login> {
    lines.length = 0;
    const result = await handler(JSON.parse(eventText), CONTEXT);
    const lambdaEvent = JSON.parse(eventText);
    const { status, answer } = readResponse(JSON.parse(JSON.stringify(result)), lambdaEvent);
    const record = readLog(lines);
    demand(record.answer === answer.type, 'the log says what was answered');
    demand(status === null || record.status === status, 'the log says the status');
    demand(ownKeys(Object.prototype) === prototype, 'the prototype of all objects is as it was');
    if (answer.type === 'AuthorizedUserResponse') count.authorized += 1;
    else demand(!String(answer.message).includes(MARKER), 'a refusal repeats nothing that was sent');
    requireOutcome(name, record, lambdaEvent, mayPass);
    return { status, answer, record };
  }

  async function answer(eventText: string, context: typeof CONTEXT): Promise<Answer> {
    const event = JSON.parse(eventText);
    const result = await handler(JSON.parse(eventText), context);
    const { answer } = readResponse(JSON.parse(JSON.stringify(result)), event);
    if (answer.type === 'AuthorizedUserResponse') count.authorized += 1;
    return answer;
  }

  const takeLog = () => lines.splice(0).map(readLine);
  return { name, login, answer, takeLog };
}

function ownKeys(object: object): string {
  return Reflect.ownKeys(object).map(String).join();
}

let captured: unknown[] | undefined;

/** What the bundle writes goes here, in this process and for good. */
function captureLog(): unknown[] {
  if (captured) return captured;
  const lines: unknown[] = [];
  for (const level of ['debug', 'info', 'warn', 'error', 'log'] as const) {
    console[level] = (line: unknown) => lines.push(line);
  }
  captured = lines;
  return lines;
}
