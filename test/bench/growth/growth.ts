/** Logins whose parts grow, measured in processes of their own: a login that does not end is ended from here. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../../tools/bundle/build.ts';
import { PROJECT } from '../../../tools/shared/project.ts';
import { httpsServer, sendJson } from '../../support/servers.ts';
import { publicPart, signingKey } from '../../support/signingKeys.ts';
import { CLIENT, ISSUER, SAML_ISSUER, SIGNING_SECRET } from './checkedInputs.ts';
import type { GrowingInput } from './input.ts';
import type { Measured, Question } from './process.ts';

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));
const HANDLER = join(PROJECT, 'test', 'bench', 'handlers', 'everyRule.ts');
const ROOT = join(PROJECT, '.build', 'bench-growth');
/** For all runs of one size together, on a machine that may be busy. */
const TIMEOUT_MS = 10_000;

export type Growing = Pick<GrowingInput, 'label' | 'largest' | 'refusal'> & {
  /** Null where it took longer than `TIMEOUT_MS`. */
  measure(question: Omit<Question, 'input'>): Promise<Measured | null>;
};

export interface Growth {
  inputs: Growing[];
  stop(): Promise<void>;
}

/** All inputs: those that a mapping decides about, and those that are checked before. */
export async function startGrowth(): Promise<Growth> {
  await build({ outdir: ROOT, extraHandler: HANDLER });
  const checks = await startIssuer();
  const mapping = { OPENID_HANDLER_MODULE: 'handlers/everyRule', SAML_HANDLER_MODULE: 'handlers/everyRule' };
  const processes = [new Measuring(mapping), new Measuring({ ...mapping, ...checks.env })];
  const inputs = await Promise.all(processes.map((process_) => process_.inputs()));
  return {
    inputs: inputs.flat(),
    async stop() {
      await Promise.all(processes.map((process_) => process_.stop()));
      await checks.stop();
    },
  };
}

/** A process that measures, and the one that takes its place when it was ended. */
class Measuring {
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  async inputs(): Promise<Growing[]> {
    const inputs = (await this.#start()) as Omit<Growing, 'measure'>[];
    return inputs.map((input, index) => ({
      ...input,
      measure: (question) => this.#ask({ input: index, ...question }),
    }));
  }

  async #start(): Promise<unknown> {
    const env = { ...this.#env, GROWTH_ROOT: ROOT };
    this.#child = fork(PROCESS, {
      env,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return (await once(this.#child, 'message'))[0];
  }

  async #ask(question: Question): Promise<Measured | null> {
    if (!this.#child) await this.#start();
    const child = this.#child as ChildProcess;
    child.send(question);
    try {
      const [measured] = await once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
      return measured;
    } catch {
      await this.stop();
      return null;
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
  }
}

/** An issuer with its keys, and the settings that check its tokens, its assertions and the caller. */
async function startIssuer(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const key = await signingKey('RS256');
  const keys = await httpsServer((_, response) => sendJson(response, { keys: [publicPart(key)] }));
  await writeFile(join(folder, 'ca.pem'), keys.ca);
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ signing: SIGNING_SECRET }));
  const saml = {
    audiences: ['https://app.example.net/saml/metadata'],
    recipients: ['https://app.example.net/saml/acs'],
  };
  const env = {
    GROWTH_KEY: JSON.stringify(key),
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ [ISSUER]: { audiences: [CLIENT], jwks_uri: `${keys.url}/keys` } }),
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify({ [SAML_ISSUER]: saml }),
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'signing',
    SECRETS_FILE: join(folder, 'secrets.json'),
  };
  const stop = async () => {
    await keys.close();
    await rm(folder, { recursive: true });
  };
  return { env, stop };
}
