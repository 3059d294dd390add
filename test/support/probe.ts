/** The probe handler in a running function: the toolkit as it is in the bundle, over real connections. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, PROJECT } from '../../tools/build.ts';
import { withFunction } from './bundle.ts';
import { openIdEvent } from './wire.ts';

export interface Probe {
  /** What the toolkit gave, or the failure as an object with `code`; and how long the login took. */
  ask(
    claims: Record<string, unknown>,
    issuer?: string,
  ): Promise<{ result: unknown; ms: number; message: string }>;
  records(): Record<string, unknown>[];
  output(): string;
}

export async function withProbe<TResult>(
  env: Record<string, string>,
  use: (probe: Probe) => Promise<TResult>,
): Promise<TResult> {
  const root = await mkdtemp(join(PROJECT, '.build-test-'));
  try {
    await build({ outdir: root, extraHandler: join(PROJECT, 'test/support/handlers/probe.ts') });
    const settings = { OPENID_HANDLER_MODULE: 'handlers/probe', HANDLER_TIMEOUT_MS: '2000', ...env };
    return await withFunction(
      'openidLoggedIn',
      { root, env: settings },
      async ({ invoke, records, output }) => {
        const ask = async (claims: Record<string, unknown>, issuer?: string) => {
          const event = openIdEvent();
          if (issuer) event.idToken.iss = issuer;
          Object.assign(event.idToken.otherClaims, claims);
          const start = performance.now();
          const { message } = (await invoke(event)) as { message: string };
          return { result: parsed(message), ms: performance.now() - start, message };
        };
        return use({ ask, records, output });
      },
    );
  } finally {
    await rm(root, { recursive: true });
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
