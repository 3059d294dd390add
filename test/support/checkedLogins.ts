/** Logins through the OpenID function with its check on, each with what became of it. */
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, running } from './bundle.ts';
import { customHandler } from './customHandler.ts';
import { ALGORITHMS } from './signingKeys.ts';

export type CheckedLogins = Awaited<ReturnType<typeof checkedLogins>>;

interface CheckedIssuer {
  issuer: string;
  ca: string;
}

/** The clients of a provider. */
const AUDIENCES = ALGORITHMS.map((alg) => `client-${alg}`);

/** By a function that checks tokens of these issuers, and trusts their certificates. */
export async function checkedLogins(issuers: CheckedIssuer[], own: Record<string, string> = {}) {
  const listed = issuers.map(({ issuer }) => [issuer, { audiences: AUDIENCES }]);
  const env = {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify(Object.fromEntries(listed)),
    NODE_EXTRA_CA_CERTS: await customHandler([...new Set(issuers.map(({ ca }) => ca))].join('\n'), '.pem'),
    ...own,
  };
  const fn = running(startFunction({ name: 'openidLoggedIn', env }));
  return {
    async send(event: unknown) {
      const { status, answer, record = {} } = await answerOf(fn, event);
      return { type: answer.type, status, answer, reason: record.reason, record };
    },
    output: () => fn.output(),
    stop: () => fn.stop(),
  };
}

/** The same for as long as `use` runs. */
export async function withCheckedLogins(
  issuers: CheckedIssuer[],
  env: Record<string, string>,
  use: (logins: CheckedLogins) => Promise<void>,
): Promise<void> {
  const logins = await checkedLogins(issuers, env);
  await use(logins).finally(logins.stop);
}
