/** Changes authorized logins, one thing at a time, and asks again. Other systems are not asked: their recorded responses answer. */
import type { Mapping } from '../../../lib/profile/schema/mappingSchema.ts';
import { REASONS } from '../../../lib/reasons.ts';
import { eventInside } from '../../local/httpEvent.ts';
import { type InvocationResult, isAuthorized } from '../../local/invocation.ts';
import type { HandlerOf } from '../../local/mappingOf.ts';
import type { Samples } from '../../local/samples.ts';
import { kindOf } from '../../shared/functions.ts';
import { inTurn } from '../../shared/progress.ts';
import { isOfAnyIssuer } from '../../shared/projectFunctions.ts';
import { decidedIn } from '../decided.ts';
import type { Judged } from '../judgedSamples.ts';
import { CHANGES, type ChangeName } from './changes.ts';
import { AttackedLogin, isChanged, isSame } from './login.ts';
import { policyOf, type Target, type Variant } from './policy.ts';

/** One changed login, and what became of it. */
export interface Attempt {
  change: ChangeName;
  what: string;
  /** `wrongly in`: the policy claims to refuse it. `not tested`: the login failed, which proves nothing. */
  outcome: 'wrongly in' | 'in' | 'refused' | 'not tested';
}

/** A sample, and all that was tried on it: nothing where it is not authorized. */
export interface AttackedSample {
  sample: Pick<Judged['sample'], 'functionName' | 'name'>;
  handler: string;
  /** What the event and its handler are meant to let in, by the change. */
  meant: Readonly<Record<string, string>>;
  attempts: Attempts;
}

/** Those that were refused are counted: of many samples they would fill the memory. */
export interface Attempts {
  others: Attempt[];
  refused: number;
}

/** So many changed events of a sample are in memory at a time. */
const AT_ONCE = 8;

/** Attacks the samples of one run. The mapping of each handler is read once. */
export class Attack {
  readonly #samples: Pick<Samples, 'invoke'>;
  readonly #mappingOf: (handler: HandlerOf) => Promise<Mapping | null>;
  readonly #mappings = new Map<string, Promise<Mapping | null>>();

  /**
   * @param samples which ask no other system, and remember no result: of many changed events they would fill the memory
   * @param mappingOf null for a handler of plain code
   */
  constructor(samples: Pick<Samples, 'invoke'>, mappingOf: (handler: HandlerOf) => Promise<Mapping | null>) {
    this.#samples = samples;
    this.#mappingOf = mappingOf;
  }

  async on(judged: Judged): Promise<Attempts> {
    const { sample, answered } = judged;
    if (!isAuthorized(answered)) return { others: [], refused: 0 };
    const kind = kindOf(sample.functionName);
    const login = new AttackedLogin(kind, eventInside(sample.event));
    const own = await this.#ownMapping(judged);
    const mapping = own ?? decidedIn(answered.records)?.mapping ?? null;
    const policy = policyOf(mapping, kind, login.issuer, {
      isCode: own === null,
      isOfAnyIssuer: isOfAnyIssuer(sample.functionName, judged.handler?.given),
    });
    const target = { login, policy, address: String(answered.response?.email ?? '') };
    const ask = ({ event }: AttackedLogin) =>
      this.#samples.invoke({ ...sample, event }, judged.handler?.module ?? null);
    const outcomeOf = async ({ login: changed, address, control }: Variant, isError: boolean) => {
      const result = await ask(changed);
      if (!isTested(result)) return 'not tested';
      if (!isAuthorized(result)) return 'refused';
      if (address !== undefined && !isSame(result.response?.email, address)) return 'refused';
      if (control && !givesMore(result, await ask(control))) return 'refused';
      return isError ? 'wrongly in' : 'in';
    };
    const all = await inTurn(
      changedLogins(target),
      AT_ONCE,
      async ({ change, variant }): Promise<Attempt> => {
        const outcome = await outcomeOf(variant, CHANGES[change].isError(policy));
        return { change, what: variant.what, outcome };
      },
    );
    const others = all.filter(({ outcome }) => outcome !== 'refused');
    return { others, refused: all.length - others.length };
  }

  /** The default handler is the mapping that says nothing. */
  async #ownMapping({ sample: { functionName }, handler }: Judged): Promise<Mapping | null> {
    if (handler === null) return {};
    const key = `${functionName} ${handler.module}`;
    const mapping =
      this.#mappings.get(key) ?? this.#mappingOf({ functionName, handlerModule: handler.module });
    this.#mappings.set(key, mapping);
    return mapping;
  }
}

function changedLogins(target: Target): { change: ChangeName; variant: Variant }[] {
  return (Object.keys(CHANGES) as ChangeName[]).flatMap((change) =>
    CHANGES[change]
      .variants(target)
      .filter((variant) => isChanged(variant.login, target.login))
      .map((variant) => ({ change, variant })),
  );
}

/** A login that fails for another reason than the handler's decision proves nothing. */
function isTested({ failed, unavailable, reason }: InvocationResult): boolean {
  const [status] = Object.entries(REASONS).find(([code]) => code === reason)?.[1] ?? [];
  return failed === null && unavailable === null && status === 200;
}

/** Whether a login that gets in has a user group that the other has not, or the other does not get in. */
function givesMore(result: InvocationResult, control: InvocationResult): boolean {
  const others = groupsIn(control);
  return !isAuthorized(control) || groupsIn(result).some((group) => !others.includes(group));
}

function groupsIn({ response }: InvocationResult): unknown[] {
  const { user_group_uuids: groups } = response ?? {};
  return Array.isArray(groups) ? groups : [];
}
