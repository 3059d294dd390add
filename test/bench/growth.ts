/** The bench's table of inputs that grow: the slowest, by a mapping with every kind of rule and by the checks before it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { withHandler } from '../support/withHandler.ts';
import type { Grown } from './growthProcess.ts';

const PROCESS = join(import.meta.dirname, 'growthProcess.ts');
const HANDLER = join(PROJECT, 'test', 'bench', 'handlers', 'everyRule.ts');
const ROOT = join(PROJECT, '.build', 'bench-growth');
const SHOWN = 15;
/** A login that takes less is noise. */
const MIN_MS = 1;

const MAPPING = { OPENID_HANDLER_MODULE: 'handlers/everyRule', SAML_HANDLER_MODULE: 'handlers/everyRule' };
const issuer = (name: string, more: object) =>
  JSON.stringify({ [name]: { audiences: ['client-1'], ...more } });
/** Nobody passes them: what is measured is the way to the refusal. */
const CHECKS = {
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: issuer('https://idp.example.org', { jwks_uri: 'https://localhost:1/keys' }),
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: issuer('https://idp.example.org/saml', { recipients: ['https://app.example.net/saml/acs'] }),
};

export const GROWTH_HEADER = ['input', '1/16: ms', '1/4', 'whole', 'parse ms', 'ratio'];

/**
 * Rows of input, the login in milliseconds for parts of it and for the whole, `JSON.parse` of the whole, and how many times as
 * long at most a login takes as one of a quarter of its size: 4 is in proportion, 16 is quadratic.
 */
export async function growingInputs(): Promise<string[][]> {
  await build({ outdir: ROOT, entries: withHandler(HANDLER) });
  const mapped = await measured('', MAPPING);
  const checked = await measured('checked, ', { ...MAPPING, ...CHECKS });
  return [...mapped, ...checked]
    .sort((one, other) => Math.max(...other.loginMs) - Math.max(...one.loginMs))
    .slice(0, SHOWN)
    .map(({ label, loginMs, parseMs }) => [
      label,
      ...[0, 1, 2].map((step) => shown(loginMs[step])),
      shown(parseMs),
      shown(Math.max(...loginMs.map((ms, step) => ms / Math.max(MIN_MS, loginMs[step - 1] ?? ms)))),
    ]);
}

async function measured(prefix: string, env: Record<string, string>): Promise<Grown[]> {
  const child = fork(PROCESS, {
    env: { ...env, GROWTH_ROOT: ROOT },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const rows: Grown[] = [];
  child.on('message', (row: Grown) => rows.push({ ...row, label: prefix + row.label }));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`measuring ended with ${code} after ${rows.length} inputs`);
  return rows;
}

function shown(ms: number | undefined): string {
  return ms === undefined ? 'not tried' : ms.toFixed(ms < 1 ? 3 : 1);
}
