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
import type { Counted, Question, Timed } from './process.ts';

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));
const HANDLER = join(PROJECT, 'test', 'bench', 'handlers', 'everyRule.ts');
const ROOT = join(PROJECT, '.build', 'bench-growth');
/** Far more than the largest login takes on a busy machine, and far less than megabytes in quadratic time. */
const TIMEOUT_MS = 60_000;
/** Code that is not optimized, and never compiled a second time, counts each block that it runs. */
const COUNTING = ['--no-opt', '--no-maglev', '--no-lazy-feedback-allocation', '--no-flush-bytecode'];

/** By how many times an input grows from one size to the next. */
export const GROWTH = 4;
const STEPS = 5;

type Described = Pick<GrowingInput, 'label' | 'largest' | 'refusal'>;

interface Growing<TMeasured> extends Described {
  /** Of an event of so many bytes; null where the login does not end. */
  measure(bytes: number): Promise<TMeasured | null>;
}

export interface Growth<TMeasured> {
  inputs: Growing<TMeasured>[];
  stop(): Promise<void>;
}

/** The largest size and parts of it, the smallest first. A limit may spare the largest what a smaller one costs. */
export function sizesTo(largest: number): number[] {
  return Array.from({ length: STEPS }, (_, step) => Math.floor(largest / GROWTH ** (STEPS - 1 - step)));
}

export function startCounting(): Promise<Growth<Counted>> {
  return startGrowth({ env: { GROWTH_COUNTS: 'yes' }, execArgv: COUNTING });
}

export function startTiming(): Promise<Growth<Timed>> {
  return startGrowth({ env: {}, execArgv: [] });
}

interface Options {
  env: Record<string, string>;
  execArgv: string[];
}

/** All inputs: those that a mapping decides about, and those that are checked before. */
async function startGrowth<TMeasured>({ env, execArgv }: Options): Promise<Growth<TMeasured>> {
  await build({ outdir: ROOT, extraHandler: HANDLER });
  const checks = await startIssuer();
  const mapping = {
    ...env,
    GROWTH_ROOT: ROOT,
    OPENID_HANDLER_MODULE: 'handlers/everyRule',
    SAML_HANDLER_MODULE: 'handlers/everyRule',
  };
  const processes = [mapping, { ...mapping, ...checks.env }].map(
    (env) => new Measuring<TMeasured>({ env, execArgv }),
  );
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
class Measuring<TMeasured> {
  readonly #options: Options;
  #child: ChildProcess | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  async inputs(): Promise<Growing<TMeasured>[]> {
    const inputs = (await this.#start()) as Described[];
    return inputs.map((described, input) => ({
      ...described,
      measure: (bytes) => this.#ask({ input, bytes }),
    }));
  }

  async #start(): Promise<unknown> {
    this.#child = fork(PROCESS, { ...this.#options, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    return (await once(this.#child, 'message'))[0];
  }

  async #ask(question: Question): Promise<TMeasured | null> {
    if (!this.#child) await this.#start();
    const child = this.#child as ChildProcess;
    child.send(question);
    try {
      return (await once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) }))[0];
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
