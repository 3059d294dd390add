/** The fields of a profile, from whose table all is made that names or reads them, and what stands for where they are looked for. */

import type { AuthorizedUserResponse } from '../response.ts';

/** The fields of one value, all but the groups, and what a text of the provider is read as for each. */
export const FIELDS = {
  email: 'address',
  first_name: 'name',
  last_name: 'name',
  image_url: 'link',
  affiliation: 'name',
  /** Lasts as long as the person does at the provider. */
  external_id: 'identifier',
  external_label: 'name',
} as const satisfies Record<Exclude<keyof AuthorizedUserResponse, 'type' | 'user_group_uuids'>, string>;

export type FieldName = keyof typeof FIELDS;

const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** What a mapping says the sources of. */
export const SOURCED_FIELDS = [...FIELD_NAMES, 'full_name'] as const;

/** All fields of a profile, in the order in which they are named. */
export const PROFILE_FIELDS = [...FIELD_NAMES, 'user_group_uuids'] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

export function eachField<TValue>(make: (field: FieldName) => TValue): Record<FieldName, TValue> {
  const made: Partial<Record<FieldName, TValue>> = {};
  // A loop, because it runs in every login.
  for (const field of FIELD_NAMES) made[field] = make(field);
  return made as Record<FieldName, TValue>;
}

/** Stands for the names that the default handlers look at. */
export const DEFAULTS = { use: 'defaults' } as const;

/** Stands for the NameID of an assertion. */
export const NAME_ID = { use: 'nameId' } as const;

/** Where a value is looked for: the name of a claim or attribute, or what stands for one. */
export type Source = string | { use: 'defaults' | 'nameId' };

export function isDefaults(source: Source): boolean {
  // Stryker disable next-line ConditionalExpression: a text has no such member.
  return typeof source === 'object' && source.use === 'defaults';
}

export interface FieldSources {
  from: readonly Source[];
  /** The value where no source has any; null for none. */
  fallback: string | null;
}
