/** What a person is told whose profile is not complete. What was looked for and what arrived is in the trace. */
import type { FieldTrace } from './trace.ts';

const PROVIDER = 'Your identity provider';
const PARTS = { email: 'e-mail address', first_name: 'first name', last_name: 'last name' } as const;

const REFUSED_ADDRESS: Readonly<Record<string, string>> = {
  unverified: `${PROVIDER} says that your e-mail address is not verified.`,
  unproven: `${PROVIDER} does not say that your e-mail address is verified.`,
  ambiguous: `${PROVIDER} sent several e-mail addresses as one text.`,
  invalid: `${PROVIDER} sent an e-mail address that cannot be used.`,
};

/** @param fields the traces of the profile's fields, of which at least one of the three was not found */
export function missingMessage(fields: Readonly<Record<string, FieldTrace>>): string {
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
