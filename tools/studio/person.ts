/** Whose login it is, for the list. Identifiers are no names: neither `sub` nor a NameID is shown. */
import * as v from 'valibot';
import { OPENID } from '../../lib/openid/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { getFirstName, getLastName } from '../../lib/sdk.ts';
import type { Explanation } from '../explain/explanation.ts';
import type { SampleEvent } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';

/** In characters, of a name. */
const MAX_NAME = 200;
const MODELS = { OpenID: OPENID.model, SAML: SAML.model };

/** As the response has it; of a login that is refused as its handler read it, or as the default handler reads the event. */
export function personIn(
  sample: SampleEvent,
  { response }: InvocationResult,
  { fields }: Explanation,
): string | null {
  const given = response?.type === 'AuthorizedUserResponse' ? response : {};
  const read = fields.filter(({ field }) => field === 'first_name' || field === 'last_name');
  return (
    named([given.first_name ?? given.firstName, given.last_name ?? given.lastName]) ??
    named([given.email]) ??
    named(read.map(({ value }) => value)) ??
    named(namesIn(sample))
  );
}

function named(parts: readonly unknown[]): string | null {
  const name = parts.filter((part) => typeof part === 'string').join(' ');
  return name.trim().slice(0, MAX_NAME) || null;
}

function namesIn({ functionName, event }: SampleEvent): unknown[] {
  const { success, output } = v.safeParse(MODELS[kindOf(functionName)], eventInside(event));
  return success ? [getFirstName(output), getLastName(output)] : [];
}
