/** Findings of a login by what the function answered: why it refused, and what to change at the provider or in the mapping. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { REASONS } from '../../lib/reasons.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { Account, ExplainedRule } from '../explain/account.ts';
import { explanationOf } from '../explain/explanation.ts';
import { plainSentenceOf, shortPath } from '../explain/sentence.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import { error, quoted } from './findings.ts';
import { readEvent } from './ownEvent.ts';
import { CHANGES, fieldFindings } from './profileFindings.ts';
import { findingsFor } from './providers.ts';

export interface AnsweredLogin {
  answered: InvocationResult;
  /** As it arrived, in an HTTP envelope or not. */
  event: unknown;
  functionName: string;
  /** The settings with which it was answered. */
  env: NodeJS.ProcessEnv;
}

/**
 * @param all in the login itself
 * @returns these and, for a login that was refused, an error with the reason of the answer as its code; errors first
 */
export function withAnswer(all: readonly Finding[], login: AnsweredLogin): Finding[] {
  const { failed, response, reason } = login.answered;
  const account = explanationOf(login.answered, login.event, login.functionName);
  // What is odd about groups is nothing to a handler that reads none.
  const readsNoGroups = account.isTraced && account.groups === null;
  const found = all.filter(({ code }) => !(readsNoGroups && code.startsWith('groups_')));
  // Others are of the process, or of an answer that is not there yet.
  const isRefused = failed !== null || response?.type !== 'AuthorizedUserResponse';
  if (!isRefused || !Object.hasOwn(REASONS, reason)) return inOrder(found);
  const told = refusal(login);
  if (told.length === 0 && found.some(({ code }) => code === reason)) {
    return inOrder(found.map((one) => (one.code === reason ? { ...one, level: 'error' } : one)));
  }
  const own = findingsFor(issuerIn(login.answered), told.length > 0 ? told : [unknown(login.answered)]);
  const others = found.filter(({ code }) => own.every((one) => one.code !== code));
  return inOrder([...own, ...others]);
}

/** Empty for a reason of the function itself. */
function refusal({ answered, event, functionName, env }: AnsweredLogin): Finding[] {
  const { reason, handler } = answered;
  const kind = kindOf(functionName);
  const account = explanationOf(answered, event, functionName);
  const decisive = account.rules.find(({ isDecisive }) => isDecisive);
  switch (reason) {
    case 'profile_incomplete':
    case 'email_unverified':
      return fieldFindings(account, kind, readConfiguration(kind, env).settings.requiredFields);
    case 'issuer_not_listed':
      return [issuerNotListed(issuerIn(answered), decisive?.note ?? '')];
    case 'rule_refused':
      return decisive ? [ruleRefused(decisive, account, kind)] : [];
    case 'groups_unknown':
    case 'groups_ambiguous':
    case 'assurance_unknown':
    case 'claim_unknown':
      return [notTold(answered, decisive, account, kind)];
    case 'forbidden':
    case 'error':
      return [error(reason, `${handler} refuses the login, by code of its own.`, OF_CODE)];
    case 'external_id_refused':
      return [error(reason, sentenceOf(answered), hintOf(account, 'external_id'))];
    case 'external_id_missing':
      return [error(reason, sentenceOf(answered), OF_EXTERNAL_ID[kind])];
    default:
      return ofCheck(reason, event, env);
  }
}

function hintOf({ fields }: Account, field: string): string {
  return fields.find((one) => one.field === field)?.hint ?? '';
}

/** What a check that refused says of the event. */
function ofCheck(reason: string, event: unknown, env: NodeJS.ProcessEnv): Finding[] {
  const inside = eventInside(event);
  if (!/^(?:token|assertion)_/.test(reason) || !isJsonObject(inside)) return [];
  return readEvent(inside, () => env).findings.flatMap((one) =>
    one.code === reason ? [{ ...one, level: 'error' as const }] : [],
  );
}

function issuerIn({ records }: InvocationResult): string | null {
  const { issuer } = records.findLast(({ event }) => event === 'login') ?? {};
  return typeof issuer === 'string' ? issuer : null;
}

/** `A rule of the mapping refuses.` */
function sentenceOf(answered: InvocationResult): string {
  const [, reason = ''] = /: (.*)/s.exec(plainSentenceOf(answered)) ?? [];
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function issuerNotListed(issuer: string | null, near: string): Finding {
  return error(
    'issuer_not_listed',
    `The mapping does not list the issuer ${quoted(issuer ?? '')}.`,
    `${near} If its people should get in, add exactly this issuer to issuers of the mapping.`.trim(),
  );
}

const IF = 'If this person should get in,';
const OF_CODE = `${IF} compare what the handler looks at with this event.`;

const OF_EXTERNAL_ID: Readonly<Record<LoginKind, string>> = {
  OpenID: 'Have the provider send sub, or set OPENID_EXTERNAL_ID to off (docs/settings.md).',
  SAML: 'Have the provider release the identifier that SAML_EXTERNAL_ID names to this service, or choose another one (docs/settings.md).',
};

type Told = readonly [fact: string, change: string];

/** What a rule says of somebody whom it refuses. */
const RULES: Readonly<Record<RuleKey, Told>> = {
  emails: [
    'the e-mail address is not in its list',
    'add the address to the rule, or correct it at the provider.',
  ],
  email_domains: [
    'the domain of the e-mail address is not in its list',
    'add the domain to the rule, if it belongs to the organisation of this issuer; otherwise correct the address at the provider.',
  ],
  scopes: [
    'no scoped affiliation that it lists arrived',
    'have the provider release eduPersonScopedAffiliation (urn:oid:1.3.6.1.4.1.5923.1.1.1.9, eduperson_scoped_affiliation), or add its scope or affiliation to the rule.',
  ],
  any_group: [
    'the person is in none of its groups',
    'add the person to one of them at the provider, or add a group to the rule, spelled as it arrives.',
  ],
  no_group: [
    'the person is in a group that it denies',
    'take the person out of that group at the provider, or the group out of the rule.',
  ],
  claim: [
    'the claim has another value',
    'correct the value at the provider, or add it to the rule, with its JSON type.',
  ],
  attribute: [
    'the attribute has another value',
    'correct the value at the provider, or add it to the rule, spelled as it arrives.',
  ],
  assurance: [
    'the person did not sign in as it demands',
    'have the service request that way to sign in, or change the rule (docs/mappings.md, "Demand assurance").',
  ],
};

function ruleRefused({ path, note }: ExplainedRule, { groups }: Account, kind: LoginKind): Finding {
  const rule = shortPath(path);
  const [fact, change] = new Map<string, Told>(Object.entries(RULES)).get(path.replace(/.*\./, '')) ?? [
    '',
    '',
  ];
  const isWithout = path.endsWith('.any_group') && groups?.received === 0;
  const message = `${rule} refuses the login: ${isWithout ? 'no group arrived' : fact}.`;
  const why = note || (path.endsWith('.any_group') && groups?.note) || `${IF} ${change}`;
  const isNamed = groups?.note.includes('similar name');
  return error('rule_refused', message, isWithout && !isNamed ? CHANGES[kind].noGroups : why);
}

/** What a rule, or the mapping, needs and the provider does not say, or says in an unclear form. */
function notTold(
  answered: InvocationResult,
  decisive: ExplainedRule | undefined,
  { groups }: Account,
  kind: LoginKind,
): Finding {
  const isCut = groups?.sources.some(({ gave }) => gave === 'overage');
  const change = decisive?.note || groups?.note || (isCut ? CHANGES[kind].overage : CHANGES[kind].noGroups);
  const needs = decisive ? shortPath(decisive.path) : 'the mapping';
  const message = `${sentenceOf(answered).slice(0, -1)}, which ${needs} needs.`;
  return error(answered.reason, message, change);
}

/** Of the request, of the function's own checks, or of a failure. */
function unknown(answered: InvocationResult): Finding {
  const isFailure = answered.failed !== null || answered.unavailable !== null;
  const change = isFailure
    ? 'Correct what the failure beside the response names, and look at the login again.'
    : 'docs/operate.md, "Log records", says what to do about each reason.';
  return error(answered.reason, sentenceOf(answered), change);
}
