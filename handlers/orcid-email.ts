/** ORCID's tokens have no e-mail address: takes it from the person's public ORCID record. */

import {
  authorizedUser,
  endpoint,
  error,
  forbidden,
  getFirstName,
  getLastName,
  lookUp,
  type OpenIdHandler,
  url,
} from 'login-hooks';
import * as v from 'valibot';

const ISSUER = 'https://orcid.org';
const ORCID_ID = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/;
const api = endpoint(process.env.ORCID_API_URL ?? 'https://pub.orcid.org/v3.0');

const Emails = v.object({
  email: v.array(v.object({ email: v.string(), primary: v.boolean(), verified: v.boolean() })),
});

const orcidEmail: OpenIdHandler = async (event) => {
  const { iss, sub } = event.id_token;
  // Another issuer can put anyone's ORCID iD into `sub`.
  if (iss !== ISSUER || !ORCID_ID.test(sub)) return forbidden('Please log in with your ORCID iD.');
  const record = await lookUp(url`${api}/${sub}/email`, Emails);
  const verified = record.email.filter((entry) => entry.verified);
  const address = verified.find((entry) => entry.primary) ?? verified[0];
  if (!address) {
    return error(
      'Your ORCID record shows no verified e-mail address to everyone. At orcid.org, under "Emails and domains", ' +
        'verify an address and set its visibility to "Everyone"; then log in again.',
    );
  }
  // ORCID requires a given name only.
  const first_name = getFirstName(event) ?? sub;
  return authorizedUser({ first_name, last_name: getLastName(event) ?? '-', email: address.email });
};

export default orcidEmail;
