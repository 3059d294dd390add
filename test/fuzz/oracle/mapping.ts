/** A profile mapping as data, and what of it holds for an issuer. */
import type { Group, Mapping } from '../../../lib/profile/mappingSchema.ts';
import { DEFAULTS, type Source } from '../../../lib/profile/reader.ts';

export type Part = Omit<Mapping, 'issuers'>;
export type Field = NonNullable<Part['affiliation']>;
export type Email = NonNullable<Part['email']>;
export type Unverified = Exclude<Email, unknown[]>['unverified'];
export type Groups = NonNullable<Part['groups']>;
export type Rule = NonNullable<Part['rules']>[number];
export type ClaimRule = Extract<Rule, { claim: string } | { attribute: string }>;
export type Assurance = Extract<Rule, { assurance: unknown }>['assurance'];
export type ScopesRule = Extract<Rule, { scopes: unknown }>;

/** What holds for an issuer: its own entries and messages before the common ones, the rules of both; null where it is not listed. */
export function partFor({ issuers, ...common }: Mapping, issuer: string): Part | null {
  if (!issuers || issuers === 'any') return common;
  const own = Object.hasOwn(issuers, issuer) ? issuers[issuer] : undefined;
  if (!own) return null;
  const rules = [...(common.rules ?? []), ...(own.rules ?? [])];
  return { ...common, ...own, rules, messages: { ...common.messages, ...own.messages } };
}

/** The sources and the fallback of a field, however it is written. */
export function fieldOf(field: Field | Email = {}): { from: Source[]; fallback: string | null } {
  if (Array.isArray(field)) return { from: field, fallback: null };
  return { from: field.from ?? [DEFAULTS], fallback: field.fallback ?? null };
}

/** Every group that a part of a mapping names. */
export function groupsNamedIn({ groups, rules = [] }: Part): Group[] {
  const inTable = (groups?.table ?? []).map(({ group }) => group);
  const inRules = rules.flatMap((rule) =>
    'any_group' in rule ? rule.any_group : 'no_group' in rule ? rule.no_group : [],
  );
  return [...inTable, ...inRules];
}
