/** From what was received to the answer: profile, groups, rules; and a trace of how. */
import { authorizedUser, error, forbidden, type UserLoginResponse } from '../response.ts';
import {
  type EmailPlan,
  type FieldName,
  type FieldPlan,
  type FoundField,
  findEmail,
  findField,
} from './fields.ts';
import { type GroupsPlan, mapGroups, type ReceivedGroups, receiveGroups } from './groups.ts';
import { DEFAULTS, type Rule } from './mapping.ts';
import { missingMessage } from './missing.ts';
import type { Received } from './received.ts';
import { GROUPS_UNKNOWN, needsGroups, refusalBy } from './rules.ts';
import { showableNames, type Trace } from './trace.ts';

/** What to do with the logins of an issuer. */
export interface Plan {
  first_name: FieldPlan;
  last_name: FieldPlan;
  email: EmailPlan;
  image_url: FieldPlan;
  affiliation: FieldPlan;
  /** Null: nobody gets a group. */
  groups: GroupsPlan | null;
  rules: readonly { rule: Rule; path: string }[];
}

const FROM_DEFAULTS: FieldPlan = { from: [DEFAULTS], fallback: null };
const NOTHING: FieldPlan = { from: [], fallback: null };

/** What the default handlers do. */
export const DEFAULT_PLAN: Plan = {
  first_name: FROM_DEFAULTS,
  last_name: FROM_DEFAULTS,
  email: { ...FROM_DEFAULTS, unverified: 'refuse' },
  image_url: NOTHING,
  affiliation: NOTHING,
  groups: null,
  rules: [],
};

/** Where rules look at groups and nothing is mapped. */
const GROUPS_FOR_RULES: GroupsPlan = { from: [DEFAULTS], required: false, unknown: 'none', table: [] };
const NO_GROUPS: ReceivedGroups = { known: true, values: [], glued: false };

export interface Decision {
  response: UserLoginResponse;
  trace: Trace;
}

export function decide(received: Received, plan: Plan): Decision {
  const fields = findFields(received, plan);
  const trace = newTrace(received, tracesOf(fields));
  const [first_name, last_name, email] = [
    fields.first_name.value,
    fields.last_name.value,
    fields.email.value,
  ];
  if (first_name === null || last_name === null || email === null) {
    return { response: error(missingMessage(trace)), trace };
  }

  const groups = receivedGroups(received, plan);
  const { uuids, trace: groupsTrace } = mapGroups(groups, plan.groups?.table ?? []);
  if (plan.groups) trace.groups = groupsTrace;
  if (!groups.known && plan.groups?.unknown === 'error') return { response: error(GROUPS_UNKNOWN), trace };

  for (const { rule, path } of plan.rules) {
    const refusal = refusalBy(rule, { received, email, groups });
    if (!refusal) continue;
    trace.rule = `${path}.${refusal.rule}`;
    return { response: forbidden(refusal.message), trace };
  }

  return {
    response: authorizedUser({
      first_name,
      last_name,
      email,
      image_url: fields.image_url.value,
      affiliation: fields.affiliation.value,
      user_group_uuids: uuids,
    }),
    trace,
  };
}

/** Refuses a login of an issuer that is not listed. */
export function refuseIssuer(received: Received): Decision {
  return {
    response: forbidden('Your identity provider is not one that may be used to log in here.'),
    trace: { ...newTrace(received, {}), rule: 'issuers' },
  };
}

function receivedGroups(received: Received, plan: Plan): ReceivedGroups {
  if (!plan.groups && !plan.rules.some(({ rule }) => needsGroups(rule))) return NO_GROUPS;
  const { from, required } = plan.groups ?? GROUPS_FOR_RULES;
  return receiveGroups(received, from, required);
}

export function findFields(received: Received, plan: Plan): Record<FieldName, FoundField> {
  return {
    email: findEmail(received, plan.email),
    first_name: findField(received, 'first_name', plan.first_name),
    last_name: findField(received, 'last_name', plan.last_name),
    image_url: findField(received, 'image_url', plan.image_url),
    affiliation: findField(received, 'affiliation', plan.affiliation),
  };
}

/** The names are put in order when somebody looks: most logins are authorized, and nobody does. */
function newTrace(received: Received, fields: Trace['fields']): Trace {
  return {
    fields,
    get received() {
      return showableNames(received.names());
    },
  };
}

function tracesOf(fields: Record<FieldName, FoundField>): Trace['fields'] {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, { trace }]) => [name, trace] as const)
      .filter(([, { tried, found }]) => tried.length > 0 || found !== null),
  );
}
