/** Whose login it is, for the list. Identifiers are no names: neither `sub` nor a NameID is shown. */
import * as v from 'valibot';
import { OPENID } from '../../lib/openid/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { getFirstName, getLastName } from '../../lib/sdk.ts';
import type { Account } from '../explain/explanation.ts';
import type { SampleEvent } from '../local/events.ts';
import { eventInside, isDeeperThan } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';

/** In characters, as a response has it. */
const MAX_NAME = 200;
/** Of an event that is read here: what is deeper is no login. */
const MAX_DEPTH = 1_000;
const NAMES = ['first_name', 'last_name'];

/** As the response has it; of a login that is refused as its handler read it, or as the default handler reads the event. */
export function personIn(
  sample: SampleEvent,
  { response }: InvocationResult,
  { fields }: Account,
): string | null {
  const given = response?.type === 'AuthorizedUserResponse' ? response : {};
  const read = NAMES.map((name) => fields.find(({ field }) => field === name)?.value);
  return (
    named([given.first_name ?? given.firstName, given.last_name ?? given.lastName]) ??
    named([given.email]) ??
    named(read) ??
    named(namesIn(sample))
  );
}

function named(parts: readonly unknown[]): string | null {
  const name = parts.filter((part) => typeof part === 'string').join(' ');
  return name.trim().slice(0, MAX_NAME) || null;
}

function namesIn({ functionName, event }: SampleEvent): (string | null)[] {
  const model = { OpenID: OPENID.model, SAML: SAML.model }[kindOf(functionName)];
  const inside = eventInside(event);
  if (isDeeperThan(inside, MAX_DEPTH)) return [];
  const { success, output } = v.safeParse(model, inside);
  return success ? [getFirstName(output), getLastName(output)] : [];
}
