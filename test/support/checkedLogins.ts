/** Logins through the OpenID function with its check on, each with what became of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap } from '../../tools/local/events.ts';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { customHandler } from './customHandler.ts';
import { ALGORITHMS } from './signingKeys.ts';

interface Outcome {
  type: unknown;
  /** The HTTP status, or null for a direct event. */
  status: number | null;
  answer: Record<string, unknown>;
  /** The reason code in the log. */
  reason: unknown;
  record: Record<string, unknown>;
  /** Whether a handler that `TELLTALE` is the source of was called. */
  handlerRan: boolean;
}

export interface CheckedLogins {
  send(event: unknown): Promise<Outcome>;
  output(): string;
  stop(): Promise<void>;
}

const RAN = 'the handler ran';

/** Lets everybody in, and tells so on both streams: the log's records are on one of them. */
export const TELLTALE = `export default () => {
  console.log('${RAN}');
  console.error('${RAN}');
  return { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@example.org' };
};`;

export interface CheckedIssuer {
  issuer: string;
  ca: string;
}

/** The clients of a provider, all but `client-of-others`. */
const AUDIENCES = ALGORITHMS.map((alg) => `client-${alg}`);

export async function checkedLogins(
  issuers: CheckedIssuer[],
  env: Record<string, string> = {},
): Promise<CheckedLogins> {
  return watched(
    await startFunction({ name: 'openidLoggedIn', env: { ...(await settings(issuers)), ...env } }),
  );
}

/** The settings of a function that checks tokens of these issuers, and trusts their certificates. */
export async function settings(issuers: CheckedIssuer[]): Promise<Record<string, string>> {
  const listed = issuers.map(({ issuer }) => [issuer, { audiences: AUDIENCES }]);
  return {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify(Object.fromEntries(listed)),
    NODE_EXTRA_CA_CERTS: await customHandler([...new Set(issuers.map(({ ca }) => ca))].join('\n'), '.pem'),
  };
}

/** The same for as long as `use` runs. */
export async function withCheckedLogins<TResult>(
  issuers: CheckedIssuer[],
  env: Record<string, string>,
  use: (logins: CheckedLogins) => Promise<TResult>,
): Promise<TResult> {
  const logins = await checkedLogins(issuers, env);
  try {
    return await use(logins);
  } finally {
    await logins.stop();
  }
}

function watched(fn: FunctionProcess): CheckedLogins {
  let count = 0;
  return {
    async send(event) {
      const requestId = `login-${++count}`;
      const seen = fn.output().length;
      const { status, answer } = unwrap(await fn.invoke(event, requestId));
      const record = await recordOf(fn, requestId);
      const handlerRan = fn.output().slice(seen).includes(RAN);
      const { type } = answer as Record<string, unknown>;
      const { reason } = record;
      return { type, status, answer: answer as Outcome['answer'], reason, record, handlerRan };
    },
    output: () => fn.output(),
    stop: () => fn.stop(),
  };
}

/** What a process writes arrives on another connection than its answer. */
async function recordOf(fn: FunctionProcess, requestId: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 500; tries++) {
    const record = fn.records().find((entry) => entry.event === 'login' && entry.requestId === requestId);
    if (record) return record;
    await sleep(2);
  }
  throw new Error(`no record of ${requestId}: ${fn.output()}`);
}
