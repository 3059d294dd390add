/** Finds the value of one profile field: candidates in order, the first usable one wins. */
import { isEmail } from '../response.ts';
import { splitFullName } from './fullName.ts';
import type { Source } from './mapping.ts';
import type { EmailStanding, Finding, Received } from './received.ts';
import { trimmed } from './text.ts';
import type { FieldTrace } from './trace.ts';

export type FieldName = 'first_name' | 'last_name' | 'email' | 'image_url' | 'affiliation';

export interface FieldPlan {
  from: readonly Source[];
  /** Taken where no source has anything; null for nothing. */
  fallback: string | null;
}

export interface EmailPlan extends FieldPlan {
  unverified: 'refuse' | 'accept' | 'demand_proof';
}

export interface FoundField {
  value: string | null;
  trace: FieldTrace;
}

/** Candidates that are looked at together, and what is made of a value found there. */
interface Attempt {
  names: readonly string[];
  findings: () => Iterable<Finding>;
  /** The field's value, null for what cannot be used. */
  use: (value: string) => string | null;
  /** What to say of a value that was found so. */
  how?: string;
}

const EMAIL_NAME_ID = 'NameID of format emailAddress';
const UNVERIFIED_HINT =
  'The switch at the provider: Keycloak "Email verified" of the user or "Trust email" of the identity provider; ' +
  'authentik the scope mapping "email"; Cognito the attribute mapping of email_verified; Entra the optional claim ' +
  'xms_edov. To accept the addresses of this issuer all the same, see handlers/accept-unverified-email.';

export function findField(received: Received, field: FieldName, plan: FieldPlan): FoundField {
  return firstUsable(attempts(received, field, plan.from), plan.fallback, () => null);
}

/** An address that the provider says is unverified is not used, unless the mapping accepts it. */
export function findEmail(received: Received, plan: EmailPlan): FoundField {
  const refusal = ({ from }: Finding) => refusalOf(received.emailStanding(from), plan.unverified);
  const found = firstUsable(attempts(received, 'email', plan.from), plan.fallback, refusal);
  if (found.value === null || found.trace.found === null) return found;
  const standing = received.emailStanding(found.trace.found);
  return standing === 'verified' ? found : { ...found, trace: { ...found.trace, note: standing } };
}

function refusalOf(standing: EmailStanding, policy: EmailPlan['unverified']): string | null {
  if (standing === 'verified' || policy === 'accept') return null;
  return standing === 'unverified' || policy === 'demand_proof' ? standing : null;
}

function firstUsable(
  candidates: Iterable<Attempt>,
  fallback: string | null,
  refusalOf: (finding: Finding) => string | null,
): FoundField {
  const tried: string[] = [];
  let refused: string | null = null;
  for (const { names, findings, use, how } of candidates) {
    tried.push(...names);
    for (const finding of findings()) {
      const value = use(finding.value);
      if (value === null) continue;
      const refusal = refusalOf(finding);
      if (refusal === null) return { value, trace: { tried, found: finding.from + (how ? `, ${how}` : '') } };
      refused = refusal;
    }
  }
  if (fallback !== null) return { value: fallback, trace: { tried, found: 'fallback' } };
  const trace: FieldTrace = { tried, found: null };
  return {
    value: null,
    trace: refused === null ? trace : { ...trace, note: refused, hint: UNVERIFIED_HINT },
  };
}

/** Names that stand next to each other are looked up together: `Name` for all of them goes before `FriendlyName`. */
function* attempts(received: Received, field: FieldName, from: readonly Source[]): Iterable<Attempt> {
  let names: string[] = [];
  const use = field === 'email' ? usableEmail : trimmed;
  const pending = function* () {
    if (names.length > 0) yield named(received, names, use);
    names = [];
  };
  for (const source of from) {
    if (typeof source === 'string') {
      names.push(source);
      continue;
    }
    yield* pending();
    if (source.use === 'defaults') yield* defaultAttempts(received, field, use);
    else yield { names: ['NameID'], findings: () => single(received.nameId()), use };
  }
  yield* pending();
}

function* defaultAttempts(received: Received, field: FieldName, use: Attempt['use']): Iterable<Attempt> {
  const { defaults } = received;
  yield named(received, defaults[field], use);
  if (field === 'first_name' || field === 'last_name') {
    const part = (fullName: string) => splitFullName(fullName)[field];
    yield { ...named(received, defaults.full_name, part), how: 'split' };
  }
  if (field === 'email' && received.hasNameId) {
    yield { names: [EMAIL_NAME_ID], findings: () => single(received.emailNameId()), use };
  }
}

function named(received: Received, names: readonly string[], use: Attempt['use']): Attempt {
  return { names, findings: () => received.find(names), use };
}

function single(finding: Finding | null): Finding[] {
  return finding === null ? [] : [finding];
}

/** Two addresses glued together have two `@`, and are none. */
function usableEmail(value: string): string | null {
  const address = value.trim();
  return isEmail(address) ? address : null;
}
