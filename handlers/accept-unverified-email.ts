/**
 * Accepts unverified addresses of one issuer, because its administrators enter them and its users cannot change them.
 * The rule keeps such an address from being one of another organisation.
 */
import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: {
    'https://sso.example.edu/realms/campus': {
      email: { unverified: 'accept' },
      rules: [{ email_domains: ['example.edu'] }],
    },
  },
});
