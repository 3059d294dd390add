/** For a provider whose ID token says little: its UserInfo endpoint gives the rest. */
import { mapOpenIdLogin } from 'login-hooks';

const ISSUER = process.env.USERINFO_ISSUER ?? 'https://connect.surfconext.example';

export default mapOpenIdLogin({
  issuers: { [ISSUER]: { userinfo: true } },
  messages: { issuer_not_listed: 'Please log in with your account of this organisation.' },
});
