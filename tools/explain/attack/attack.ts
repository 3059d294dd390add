/** Changes authorized logins, one thing at a time, and asks again. Other systems are not asked: their recorded responses answer. */
import type { Mapping } from '../../../lib/profile/schema/mappingSchema.ts';
import { REASONS } from '../../../lib/reasons.ts';
import { eventInside } from '../../local/httpEvent.ts';
import type { InvocationResult } from '../../local/invocation.ts';
import { type Loaded, mappingOf } from '../../local/mappingOf.ts';
import type { Samples } from '../../local/samples.ts';
import { kindOf } from '../../shared/functions.ts';
import type { Judged } from '../judgedSamples.ts';
import type { Login, Target, Variant } from './change.ts';
import { CHANGES, type ChangeName } from './changes.ts';
import { isChanged, isSame } from './login.ts';
import { AttackedOpenIdLogin } from './openidLogin.ts';
import { policyOf } from './policy.ts';
import { AttackedSamlLogin } from './samlLogin.ts';

/** One changed login, and what became of it. */
export interface Attempt {
  change: ChangeName;
  what: string;
  isError: boolean;
  outcome: 'got in' | 'refused' | 'not tested';
}

/** A sample, and all that was tried on it: nothing where it is not authorized. */
export interface AttackedSample {
  judged: Judged;
  attempts: Attempt[];
}

/** Attacks the samples of one run. The mapping of each handler is read once. */
export class Attack {
  readonly #samples: Samples;
  readonly #loaded: Loaded;
  readonly #mappings = new Map<string, Promise<Mapping | null>>();

  /** @param samples that ask no other system */
  constructor(samples: Samples, loaded: Loaded) {
    this.#samples = samples;
    this.#loaded = loaded;
  }

  async on(judged: Judged): Promise<AttackedSample> {
    const { sample, answered } = judged;
    if (!isAuthorized(answered)) return { judged, attempts: [] };
    const login = loginOf(eventInside(sample.event), sample.functionName);
    const policy = policyOf(await this.#mappingOf(judged), login.kind, login.issuer);
    const target = { login, policy, address: String(answered.response?.email ?? '') };
    const tries = changedLogins(target).map(async ({ change, variant }): Promise<Attempt> => {
      const changed = { ...sample, event: variant.login.event };
      const again = await this.#samples.invoke(changed, judged.handler?.module);
      const { isError } = CHANGES[change];
      return { change, what: variant.what, isError: isError(policy), outcome: outcomeOf(again, variant) };
    });
    return { judged, attempts: await Promise.all(tries) };
  }

  /** The default handler is the mapping that says nothing. */
  async #mappingOf({ sample: { functionName }, handler }: Judged): Promise<Mapping | null> {
    if (handler === null) return {};
    const key = `${functionName} ${handler.module}`;
    const mapping =
      this.#mappings.get(key) ?? mappingOf({ functionName, handlerModule: handler.module }, this.#loaded);
    this.#mappings.set(key, mapping);
    return mapping;
  }
}

/** The function has accepted the event. */
function loginOf(event: unknown, functionName: string): Login {
  return kindOf(functionName) === 'SAML'
    ? new AttackedSamlLogin(event as AttackedSamlLogin['event'])
    : new AttackedOpenIdLogin(event as AttackedOpenIdLogin['event']);
}

/** Without those that are as they were. */
function changedLogins(target: Target): { change: ChangeName; variant: Variant }[] {
  return NAMES.flatMap((change) =>
    CHANGES[change].variants(target).map((variant) => ({ change, variant })),
  ).filter(({ variant }) => isChanged(variant.login, target.login));
}

const NAMES = Object.keys(CHANGES) as ChangeName[];

/** A login that fails for another reason than the handler's decision proves nothing. */
function outcomeOf(answered: InvocationResult, { address }: Variant): Attempt['outcome'] {
  const { failed, unavailable, response, reason } = answered;
  if (failed !== null || unavailable !== null || statusOf(reason) !== 200) return 'not tested';
  if (!isAuthorized(answered)) return 'refused';
  return address === undefined || isSame(response?.email, address) ? 'got in' : 'refused';
}

function statusOf(reason: string): number {
  const found = Object.entries(REASONS).find(([code]) => code === reason);
  return found?.[1][0] ?? 500;
}

function isAuthorized({ failed, response }: InvocationResult): boolean {
  return failed === null && response?.type === 'AuthorizedUserResponse';
}
