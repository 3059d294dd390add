/** The probe handler in a running function: the toolkit as it is in the bundle, over real connections. */
import { withFunction } from './bundle.ts';
import { PROBE_BUNDLE } from './probeBundle.ts';
import { openIdEvent } from './wire.ts';

export interface Probe {
  /** What the toolkit gave, or the failure as an object with `code`; undefined where the login failed with a message for people. */
  ask(claims: Record<string, unknown>): Promise<{ result: unknown; message: string }>;
  records(): Record<string, unknown>[];
  output(): string;
}

/** For as long as `use` runs. */
export function withProbe<TResult>(
  env: Record<string, string>,
  use: (probe: Probe) => Promise<TResult>,
): Promise<TResult> {
  const settings = { OPENID_HANDLER_MODULE: 'handlers/probe', HANDLER_TIMEOUT_MS: '2000', ...env };
  return withFunction('openidLoggedIn', { root: PROBE_BUNDLE.outdir, env: settings }, (fn) => {
    const ask = async (claims: Record<string, unknown>) => {
      const event = openIdEvent();
      Object.assign(event.idToken.otherClaims, claims);
      const { message } = (await fn.invoke(event)) as { message: string };
      return { result: parsed(message), message };
    };
    return use({ ask, records: () => fn.records(), output: () => fn.output() });
  });
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
