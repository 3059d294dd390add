/** From what was received to the answer: the profile first, then who is admitted; and how it came about. */
import { type Decision, decided, type FieldTrace, showableNames, type Trace } from './decision.ts';
import {
  type FieldName,
  type FieldPlan,
  type FieldSpec,
  type FoundField,
  fieldPlan,
  findField,
} from './fields.ts';
import { DEFAULTS, type DefaultNames, type Received } from './reader.ts';
import { authorizedUser, error, forbidden, type UserLoginResponse } from './response.ts';
import type { Admission, Admit } from './rules.ts';

/** What to do with the logins of an issuer. */
export interface Plan {
  fields: Record<FieldName, FieldPlan>;
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  admit: Admit | null;
}

const FROM_DEFAULTS: FieldSpec = { from: [DEFAULTS], fallback: null };
const NOTHING: FieldSpec = { from: [], fallback: null };

export type FieldSpecs = Record<FieldName, FieldSpec>;

export const DEFAULT_FIELDS: FieldSpecs = {
  first_name: FROM_DEFAULTS,
  last_name: FROM_DEFAULTS,
  email: { ...FROM_DEFAULTS, unverified: 'refuse' },
  image_url: NOTHING,
  affiliation: NOTHING,
  external_id: NOTHING,
  external_label: NOTHING,
};

export function makePlan(specs: FieldSpecs, defaults: DefaultNames, admit: Admit | null = null): Plan {
  const planned = (field: FieldName) => fieldPlan(field, specs[field], defaults);
  return {
    fields: {
      email: planned('email'),
      first_name: planned('first_name'),
      last_name: planned('last_name'),
      image_url: planned('image_url'),
      affiliation: planned('affiliation'),
      external_id: planned('external_id'),
      external_label: planned('external_label'),
    },
    admit,
  };
}

export function decide(received: Received, { fields, admit }: Plan): Decision {
  // Taken now: the event is the handler's, who may change it before anybody looks at the trace.
  const names = received.allNames();
  const found = {
    email: findField(received, fields.email),
    first_name: findField(received, fields.first_name),
    last_name: findField(received, fields.last_name),
    image_url: findField(received, fields.image_url),
    affiliation: findField(received, fields.affiliation),
    external_id: findField(received, fields.external_id),
    external_label: findField(received, fields.external_label),
  };
  const [email, first_name, last_name] = [found.email.value, found.first_name.value, found.last_name.value];
  if (email === null || first_name === null || last_name === null) return incomplete(names, found);

  const { refusal, groups, user_group_uuids } = admit?.(received, email) ?? ADMITTED;
  const trace = (): Trace => ({
    ...traceOf(names, found),
    ...(groups && { groups }),
    ...(refusal?.rule !== undefined && { rule: refusal.rule }),
  });
  if (refusal) {
    const { rule: _, ...decision } = refusal;
    return { ...decision, trace };
  }
  const [external_id, external_label] = [found.external_id.value, found.external_label.value];
  const response = authorizedUser({
    first_name,
    last_name,
    email,
    image_url: found.image_url.value,
    affiliation: found.affiliation.value,
    user_group_uuids,
    ...(external_id !== null && { external_id }),
    ...(external_label !== null && { external_label }),
  });
  return { response, reason: 'authorized', trace };
}

const ADMITTED: Admission = { user_group_uuids: [] };

function incomplete(names: string[], found: Record<FieldName, FoundField>): Decision {
  const trace = traceOf(names, found);
  const { found: email, note } = trace.fields.email ?? {};
  return {
    response: error(missingMessage(trace.fields)),
    reason:
      email === null && (note === 'unverified' || note === 'unproven')
        ? 'email_unverified'
        : 'profile_incomplete',
    trace: () => trace,
  };
}

function traceOf(names: string[], found: Record<FieldName, FoundField>): Trace {
  const fields = Object.entries(found)
    .map(([name, field]) => [name, field.trace()] as const)
    .filter(([, trace]) => trace.tried.length > 0 || trace.found !== null);
  return { fields: Object.fromEntries(fields), received: showableNames(names) };
}

const ISSUER_NOT_LISTED = 'Your identity provider is not one that may be used to log in here.';

/** Decides by a plan. Without a plan nobody is let in. */
export function answerBy(plan: Plan | null, received: Received): UserLoginResponse {
  return decided(plan ? decide(received, plan) : refuseIssuer(received));
}

function refuseIssuer(received: Received): Decision {
  const names = received.allNames();
  return {
    response: forbidden(ISSUER_NOT_LISTED),
    reason: 'issuer_not_listed',
    trace: () => ({ fields: {}, received: showableNames(names), rule: 'issuers' }),
  };
}

const PROVIDER = 'Your identity provider';
const PARTS = { email: 'e-mail address', first_name: 'first name', last_name: 'last name' } as const;

const REFUSED_ADDRESS: Readonly<Record<string, string>> = {
  unverified: `${PROVIDER} says that your e-mail address is not verified.`,
  unproven: `${PROVIDER} does not say that your e-mail address is verified.`,
  ambiguous: `${PROVIDER} sent several e-mail addresses as one text.`,
  invalid: `${PROVIDER} sent an e-mail address that cannot be used.`,
};

/** @param fields the traces of the profile's fields, of which at least one of the three was not found */
function missingMessage(fields: Readonly<Record<string, FieldTrace>>): string {
  const refusedAddress = fields.email?.found === null ? REFUSED_ADDRESS[fields.email.note ?? ''] : undefined;
  const missing = Object.entries(PARTS)
    .filter(([field]) => fields[field]?.found === null && !(field === 'email' && refusedAddress))
    .map(([, part]) => part);
  const sentences = missing.length > 0 ? [`${PROVIDER} did not send your ${listed(missing)}.`] : [];
  return [...sentences, ...(refusedAddress ? [refusedAddress] : [])].join(' ');
}

/** "a, b and c" */
function listed(parts: readonly string[]): string {
  return parts.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}
