/**
 * Finds the profile under names that the defaults do not know, here those that OneLogin's connectors start with.
 * Every OneLogin account has an issuer of its own: without the list, each of them could assert anyone's address.
 */
import { DEFAULTS, mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  issuers: { 'https://app.onelogin.com/saml/metadata/1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d': {} },
  email: ['User.email', DEFAULTS],
  first_name: ['User.FirstName', DEFAULTS],
  last_name: { from: ['User.LastName', DEFAULTS], fallback: '-' },
});
