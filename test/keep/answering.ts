/** Plans whose functions answer in this process, by real handlers, and what may be looked for in what they would write. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import { type KeepOptions, planKeep, type SamplePlan } from '../../tools/keep/plan.ts';
import type { Invocation, InvocationResult } from '../../tools/local/invocation.ts';
import type { Recording } from '../../tools/local/recordings.ts';
import { openIdEvent } from '../support/wire.ts';

type OpenIdEvent = OpenIdUserLoggedInEvent;
/** Null: the function does not answer. A text: a request that the handler makes, and that is not recorded. */
export type Respond = (
  event: OpenIdEvent,
  outside: readonly Recording[],
) => Record<string, unknown> | string | null;

export const byDefault: Respond = (event) => ({ ...mapOpenIdLogin({})(event) });

export function eventOf(otherClaims: Record<string, unknown>, idToken: Record<string, unknown> = {}) {
  const event = openIdEvent();
  Object.assign(event.idToken, { otherClaims, sub: 'xq-7711' }, idToken);
  return event;
}

export function claimsOf(event: unknown): Record<string, string> {
  const { id_token, idToken } = event as {
    id_token?: OpenIdEvent['id_token'];
    idToken?: { otherClaims: object };
  };
  return (id_token?.other_claims ?? idToken?.otherClaims) as Record<string, string>;
}

export function exchange(request: string, json: unknown = {}, more: Partial<Recording> = {}): Recording {
  return { request, status: 200, headers: { 'content-type': 'application/json' }, json, ...more };
}

/** An engine of which every recording is used. */
export function answering(
  respond: Respond = () => ({ type: 'ForbiddenResponse', message: 'No.' }),
  more: Partial<InvocationResult> = {},
): KeepOptions['engine'] {
  const invoke = async ({ event, requests }: Invocation) => {
    const recordings = requests as readonly Recording[];
    const isSaml = 'assertion' in (event as object);
    const made = isSaml
      ? { ...mapSamlLogin({})(v.parse(SamlUserLoggedInEvent, event)) }
      : respond(parsed(event), recordings);
    const isMissing = typeof made === 'string';
    const response = isMissing ? { type: 'ErrorResponse' } : made;
    return {
      ...{ response, status: 200, reason: String(response?.type ?? 'exited'), records: [], thrown: null },
      failed: response === null ? 'exited: it ended' : null,
      requests: {
        recordings: [],
        missing: isMissing ? [made] : [],
        used: [...recordings.keys()],
        secrets: [],
      },
      ...more,
    } as Partial<InvocationResult> as InvocationResult;
  };
  return { invoke };
}

/** What nobody validates stays as it is. */
function parsed(event: unknown): OpenIdEvent {
  const result = v.safeParse(OpenIdUserLoggedInEvent, event);
  return result.success ? result.output : (event as OpenIdEvent);
}

export function plan(event: unknown, options: Partial<KeepOptions> & { respond?: Respond } = {}) {
  const { respond, ...rest } = options;
  const functionName = 'assertion' in Object(event) ? 'samlLoggedIn' : 'openidLoggedIn';
  const folder = join(tmpdir(), 'no-such-folder');
  const engine = answering(respond);
  return planKeep({ engine, functionName, event, handler: null, name: 'zz-1', folder, ...rest });
}

/** All that a plan would write, with tokens read. */
export function writtenText({
  event,
  expected,
  outside,
}: Pick<SamplePlan, 'event' | 'expected' | 'outside'>) {
  const raw = JSON.stringify([event, expected, outside]);
  const tokens = Array.from(
    raw.matchAll(/"(eyJ[\w-]*)\.([\w-]*)\.[\w-]*"/g),
    ([, header = '', payload = '']) =>
      [header, payload].map((part) => Buffer.from(part, 'base64url').toString()).join(' '),
  );
  return [raw, ...tokens].join(' ');
}

/** Numbers that are the same at each run (Park and Miller's). */
export function seeded(seed: number): (below: number) => number {
  const prime = 2 ** 31 - 1;
  let state = (Math.abs(seed) % (prime - 1)) + 1;
  return (below) => {
    state = (state * 48_271) % prime;
    return Math.floor((state / prime) * below);
  };
}

/** Says these numbers first, and then those of a seed. */
export function saying(...first: number[]): (below: number) => number {
  const rest = seeded(3);
  return (below) => first.shift() ?? rest(below);
}
