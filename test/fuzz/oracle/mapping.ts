/** A profile mapping as data, and what of it holds for an issuer. */

export type Source = string | { use: 'defaults' | 'nameId' };
export type Group = string | { prefix: string } | { dn: string } | { dn_suffix: string };
export type Field = Source[] | { from?: Source[]; fallback?: string | null };
export type Email = Source[] | { from?: Source[]; fallback?: string | null; unverified?: Unverified };
export type Unverified = 'refuse' | 'accept' | 'demand_proof';

export interface Groups {
  from?: Source[];
  absent?: string[];
  required?: boolean;
  unknown?: 'error' | 'none';
  separate?: boolean;
  table?: { group: Group; uuid: string }[];
}

export interface ScopesRule {
  scopes: string[];
  affiliations?: string[];
  from?: Source[];
  message?: string;
}

export type Rule =
  | { email_domains: string[]; message?: string }
  | ScopesRule
  | { any_group: Group[]; message?: string }
  | { no_group: Group[]; message?: string };

export interface Part {
  first_name?: Field;
  last_name?: Field;
  email?: Email;
  image_url?: Field;
  affiliation?: Field;
  groups?: Groups;
  rules?: Rule[];
}

export interface Mapping extends Part {
  issuers?: Record<string, Part>;
}

export const DEFAULTS = { use: 'defaults' } as const;
export const NAME_ID = { use: 'nameId' } as const;

/** What holds for an issuer: its own entries before the common ones, the rules of both; null where it is not listed. */
export function partFor({ issuers, ...common }: Mapping, issuer: string): Part | null {
  if (!issuers) return common;
  const own = Object.hasOwn(issuers, issuer) ? issuers[issuer] : undefined;
  return own ? { ...common, ...own, rules: [...(common.rules ?? []), ...(own.rules ?? [])] } : null;
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
