/**
 * Lets in the people of one organisation by their e-mail address, and tells the others why not. The address decides, so
 * it must be proven: `email_verified` is true, and the issuer is one that the organisation runs.
 *
 * Entra never sends `email_verified`: add the optional claim `xms_edov` to the app registration, which says whether the
 * owner of the address's domain was verified. If you cannot, list the issuer of your one tenant and let a group decide
 * (entra-group-table), because the issuer proves that the account is one of your tenant, guests included, and an unproven
 * address proves nothing: it is what somebody typed into a directory.
 */
import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: {
    'https://sso.example.org/realms/staff': {},
    // Entra, with the optional claim xms_edov.
    'https://login.microsoftonline.com/5d3a9c1b-8e7f-4a62-b0d4-6c2e1f9a8b73/v2.0': {},
  },
  email: { unverified: 'demand_proof' },
  // Where OPENID_EXTERNAL_ID is set: each of the two issuers knows only its own people by `sub`.
  external_id: { issuer: true },
  rules: [
    {
      email_domains: ['example.org', '*.example.org'],
      message: 'Please log in with your example.org account.',
    },
  ],
});
