/** The probe handler in a running function: the toolkit as it is in the bundle, over real connections. */
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { PROBE_BUNDLE } from './probeBundle.ts';
import { openIdEvent } from './wire.ts';

export interface Probe {
  /** What the toolkit gave, or the failure as an object with `code`; and how long the login took. */
  ask(
    claims: Record<string, unknown>,
    issuer?: string,
  ): Promise<{ result: unknown; ms: number; message: string }>;
  records(): Record<string, unknown>[];
  output(): string;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

async function startProbe(env: Record<string, string> = {}): Promise<Probe> {
  const settings = { OPENID_HANDLER_MODULE: 'handlers/probe', HANDLER_TIMEOUT_MS: '2000', ...env };
  const { outdir: root } = PROBE_BUNDLE;
  return probeIn(await startFunction({ name: 'openidLoggedIn', root, env: settings, timeoutMs: TIMEOUT_MS }));
}

/** The same for as long as `use` runs. */
export async function withProbe<TResult>(
  env: Record<string, string>,
  use: (probe: Probe) => Promise<TResult>,
): Promise<TResult> {
  const probe = await startProbe(env);
  try {
    return await use(probe);
  } finally {
    await probe.stop();
  }
}

function probeIn(fn: FunctionProcess): Probe {
  const ask = async (claims: Record<string, unknown>, issuer?: string) => {
    const event = openIdEvent();
    if (issuer) event.idToken.iss = issuer;
    Object.assign(event.idToken.otherClaims, claims);
    const start = performance.now();
    const { message } = (await fn.invoke(event)) as { message: string };
    return { result: parsed(message), ms: performance.now() - start, message };
  };
  return { ask, records: () => fn.records(), output: () => fn.output(), stop: () => fn.stop() };
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
