/** From what was received to the answer: the profile first, then who is admitted; and how it came about. */

import type { Decision } from './decision.ts';
import {
  type FieldName,
  type FieldPlan,
  type FieldSpec,
  type FoundField,
  fieldPlan,
  findField,
} from './fields.ts';
import { missingMessage } from './missing.ts';
import type { DefaultNames } from './names.ts';
import type { Received } from './received.ts';
import { authorizedUser, error } from './response.ts';
import { DEFAULTS } from './sources.ts';
import { type GroupsTrace, showableNames, type Trace } from './trace.ts';

/** What to do with the logins of an issuer. */
export interface Plan {
  fields: Record<FieldName, FieldPlan>;
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  admit: Admit | null;
}

export type Admit = (received: Received, email: string) => Admission;

export interface Admission {
  user_group_uuids: string[];
  groups?: GroupsTrace;
  refusal?: Omit<Decision, 'trace'> & { rule?: string };
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
