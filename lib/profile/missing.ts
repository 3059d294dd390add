/** The profile fields that were looked for in a login and not found: there it shows that a provider stopped sending one. */

/** All fields of a profile, in the order in which they are named. */
export const PROFILE_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'image_url',
  'affiliation',
  'external_id',
  'external_label',
  'user_group_uuids',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** The fields that are missing, in their fixed order. */
export function missingFields(isMissing: (field: ProfileField) => boolean): ProfileField[] {
  return PROFILE_FIELDS.filter(isMissing);
}
