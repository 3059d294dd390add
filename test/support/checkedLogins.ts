/** Logins through the OpenID function with its check on, each with what became of it. */
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, withFunction } from './bundle.ts';
import { customHandler } from './customHandler.ts';
import { ALGORITHMS } from './signingKeys.ts';

export type CheckedLogins = ReturnType<typeof watched>;

const RAN = 'the handler ran';

/** Lets everybody in, and tells so on both streams: the log's records are on one of them. */
export const TELLTALE = `export default () => {
  console.log('${RAN}');
  console.error('${RAN}');
  return { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@example.org' };
};`;

interface CheckedIssuer {
  issuer: string;
  ca: string;
}

/** The clients of a provider, all but `client-of-others`. */
const AUDIENCES = ALGORITHMS.map((alg) => `client-${alg}`);

export async function checkedLogins(issuers: CheckedIssuer[], env: Record<string, string> = {}) {
  return watched(startFunction({ name: 'openidLoggedIn', env: { ...(await settings(issuers)), ...env } }));
}

/** The settings of a function that checks tokens of these issuers, and trusts their certificates. */
async function settings(issuers: CheckedIssuer[]): Promise<Record<string, string>> {
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
  const options = { env: { ...(await settings(issuers)), ...env } };
  return withFunction('openidLoggedIn', options, (fn) => use(watched(fn)));
}

function watched(fn: FunctionProcess) {
  return {
    async send(event: unknown) {
      const seen = fn.output().length;
      const { status, answer, record = {} } = await answerOf(fn, event);
      /** Whether a handler that `TELLTALE` is the source of was called. */
      const handlerRan = fn.output().slice(seen).includes(RAN);
      return { type: answer.type, status, answer, reason: record.reason, record, handlerRan };
    },
    output: () => fn.output(),
    stop: () => fn.stop(),
  };
}
