/** Functions with a handler that does what each login asks for, under Lambda's client, many logins at a time. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { BuildOptions } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { runtimeInterfaceClient } from '../aws/machine/runtimeInterfaceClient.ts';
import type { FunctionName } from './bundle.ts';
import type { Kind } from './handlers/crowd.ts';
import { type ConcurrentFunction, startConcurrentFunction } from './lambda/concurrentFunction.ts';
import type { Concurrency } from './lambda/lambdaClient.ts';
import { httpServer, type LocalServer, sendJson } from './servers.ts';
import { attribute, openIdEvent, samlEvent } from './wire.ts';

/** The bundle with the handler. */
export const CROWD_BUNDLE = {
  outdir: join(PROJECT, '.build', 'crowd'),
  extraHandler: join(PROJECT, 'test', 'support', 'handlers', 'crowd.ts'),
} satisfies BuildOptions;

interface Person {
  kind: Kind;
  email: string;
  waitMs: number;
  secret: string;
}

export interface CrowdLogin extends Person {
  requestId: string;
  /** Of the invocation, in milliseconds. */
  timeoutMs: number;
}

/** The answer, or the kind of the failure where there is none. */
export type CrowdAnswer = Record<string, unknown> | string;

/** Starts a function for as long as `use` runs; its log is complete when this resolves. */
export async function withCrowd<TResult>(
  name: FunctionName,
  outside: LocalServer,
  { env = {}, concurrency = TWO_WORKERS }: { env?: Record<string, string>; concurrency?: Concurrency },
  use: (fn: ConcurrentFunction) => Promise<TResult>,
): Promise<{ result: TResult; fn: ConcurrentFunction }> {
  const fn = await startConcurrentFunction({
    name,
    root: CROWD_BUNDLE.outdir,
    env: { ...crowdEnv(outside), ...env },
    clientFile: runtimeInterfaceClient() ?? '',
    concurrency,
  });
  try {
    await fn.ready();
    return { result: await use(fn), fn };
  } finally {
    await fn.stop();
  }
}

export const TWO_WORKERS = { maxConcurrency: 64, workers: 2 } satisfies Concurrency;

/**
 * Each worker thread that waits for a login holds one of libuv's threads, four by default, which resolve host names and read
 * files too: a function with more workers is told to have more.
 */
export const POOL = { UV_THREADPOOL_SIZE: '32' };

/** The settings of a function whose other systems are there. */
export function crowdEnv({ url }: LocalServer): Record<string, string> {
  return {
    OPENID_HANDLER_MODULE: 'handlers/crowd',
    SAML_HANDLER_MODULE: 'handlers/crowd',
    CROWD_URL: url,
    AWS_ENDPOINT_URL: url,
  };
}

/** A directory of persons and Secrets Manager at once: each answer holds what was asked for. */
export function playOutside(delayMs: number): Promise<LocalServer> {
  return httpServer(({ url = '' }, response, body) => {
    const json = url.startsWith('/person')
      ? { email: new URL(url, 'http://localhost').searchParams.get('email') }
      : { SecretString: `value of ${JSON.parse(body).SecretId}` };
    setTimeout(() => sendJson(response, json), delayMs);
  });
}

/** These take until their deadline, and soon pass it. */
const WAITING: Kind[] = ['hangs', 'waits for its deadline'];

/** A login that differs from every other one. */
export function crowdLogin(number: number, kind: Kind): CrowdLogin {
  return {
    kind,
    email: `person-${number}@example.org`,
    waitMs: (number * 7) % 40,
    secret: `secret-${number % 5}`,
    requestId: randomUUID(),
    timeoutMs: (WAITING.includes(kind) ? 700 : 10_000) + ((number * 37) % 1_000),
  };
}

export async function answerCrowd(
  fn: ConcurrentFunction,
  name: FunctionName,
  login: CrowdLogin,
): Promise<CrowdAnswer> {
  const { requestId, timeoutMs, ...person } = login;
  try {
    const answer = await fn.invoke(eventOf(name, person), { requestId, timeoutMs });
    return answer as Record<string, unknown>;
  } catch (failure) {
    return (failure as { kind: string }).kind;
  }
}

function eventOf(name: FunctionName, person: Person): unknown {
  if (name === 'samlLoggedIn') {
    return samlEvent(Object.entries(person).map(([key, value]) => attribute(key, String(value))));
  }
  const event = openIdEvent();
  event.idToken.otherClaims = { ...person };
  return event;
}
