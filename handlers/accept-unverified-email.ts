/** Accepts the addresses of one issuer whose people never verify them, because its administrators enter them. */
import { mapOpenIdLogin } from '#sdk';

export default mapOpenIdLogin({
  issuers: { 'https://sso.example.edu/realms/campus': { email: { unverified: 'accept' } } },
});
