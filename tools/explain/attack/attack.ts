/** Changes authorized logins, one thing at a time, and asks again. Other systems are not asked: their recorded responses answer. */
import type { Mapping } from '../../../lib/profile/schema/mappingSchema.ts';
import { eventInside } from '../../local/httpEvent.ts';
import { type InvocationResult, isAuthorized, statusOf } from '../../local/invocation.ts';
import type { HandlerOf } from '../../local/mappingOf.ts';
import type { Samples } from '../../local/samples.ts';
import { kindOf } from '../../shared/functions.ts';
import { isOfAnyIssuer } from '../../shared/projectFunctions.ts';
import { decidedIn } from '../decided.ts';
import type { Judged } from '../judgedSamples.ts';
import { CHANGES, type ChangeName } from './changes.ts';
import { AttackedLogin, isChanged, isSame } from './login.ts';
import { type Change, policyOf, type Target, type Variant } from './policy.ts';

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
  attempts: readonly Attempt[];
}

/**
 * Makes a function that attacks the samples of one run. The mapping of each handler is read once.
 *
 * @param samples which ask no other system, and remember no result: of many changed events they would fill the memory
 * @param mappingOf null for a handler of plain code
 */
export function attackOn(
  samples: Pick<Samples, 'invoke'>,
  mappingOf: (handler: HandlerOf) => Promise<Mapping | null>,
): (judged: Judged) => Promise<Attempt[]> {
  const mappings = new Map<string, Promise<Mapping | null>>();
  async function ownMapping({ sample: { functionName }, handler }: Judged): Promise<Mapping | null> {
    // The default handler is the mapping that says nothing.
    if (handler === null) return {};
    const key = `${functionName} ${handler.module}`;
    const mapping = mappings.get(key) ?? mappingOf({ functionName, handlerModule: handler.module });
    mappings.set(key, mapping);
    return mapping;
  }
  return async (judged) => {
    const { sample, answered, handler } = judged;
    if (!isAuthorized(answered)) return [];
    const kind = kindOf(sample.functionName);
    const login = new AttackedLogin(kind, eventInside(sample.event));
    const own = await ownMapping(judged);
    const policy = policyOf(own ?? decidedIn(answered)?.mapping ?? null, kind, login.issuer, {
      isCode: own === null,
      isOfAnyIssuer: isOfAnyIssuer(sample.functionName, handler?.given),
    });
    const ask = ({ event }: AttackedLogin) => samples.invoke({ ...sample, event }, handler?.module ?? null);
    const changed = changedLogins({ login, policy, address: String(answered.response?.email ?? '') });
    // One after another, so that few changed events are in memory.
    return Array.fromAsync(changed, async ({ change, isError, ...variant }) => {
      const outcome = await tried(variant, ask);
      return { change, what: variant.what, outcome: outcome === 'in' && isError ? 'wrongly in' : outcome };
    });
  };
}

function changedLogins(target: Target) {
  return Object.entries<Change>(CHANGES).flatMap(([change, { variants, isError = () => true }]) =>
    variants(target)
      .filter(({ login }) => isChanged(login, target.login))
      .map((variant) => ({ ...variant, change: change as ChangeName, isError: isError(target.policy) })),
  );
}

async function tried(
  { login, address, control }: Variant,
  ask: (login: AttackedLogin) => Promise<InvocationResult>,
): Promise<'in' | 'refused' | 'not tested'> {
  const result = await ask(login);
  if (!isTested(result)) return 'not tested';
  if (!isAuthorized(result)) return 'refused';
  if (address !== undefined && !isSame(result.response?.email, address)) return 'refused';
  return control === undefined || givesMore(result, await ask(control)) ? 'in' : 'refused';
}

/** A login that fails for another reason than the handler's decision proves nothing. */
function isTested({ failed, unavailable, reason }: InvocationResult): boolean {
  return failed === null && unavailable === null && statusOf(reason) === 200;
}

/** Whether a login that gets in has a user group that the other has not, or the other does not get in. */
function givesMore(result: InvocationResult, control: InvocationResult): boolean {
  const [groups, others] = [result, control].map(({ response }) => response?.user_group_uuids);
  const isOther = (group: unknown) => !Array.isArray(others) || !others.includes(group);
  return !isAuthorized(control) || (Array.isArray(groups) && groups.some(isOther));
}
