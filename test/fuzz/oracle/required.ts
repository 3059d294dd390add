/** What the settings of this process ask of an authorized answer. */

const { REQUIRED_FIELDS = 'email,first_name,last_name', OPENID_EXTERNAL_ID } = process.env;

export function isRequired(field: 'email' | 'first_name' | 'last_name'): boolean {
  return REQUIRED_FIELDS.split(',').includes(field);
}

/** Whether every authorized answer has an identifier. */
export const HAS_IDENTIFIER = OPENID_EXTERNAL_ID === 'sub';
