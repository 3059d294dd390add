/** For a provider whose ID token says little: asks its UserInfo endpoint first, then decides as the default handler. */
import { forbidden, handleOpenIdUserLoggedIn, type OpenIdHandler, userInfo } from 'login-hooks';

const ISSUER = process.env.USERINFO_ISSUER ?? 'https://connect.surfconext.example';

const userInfoProfile: OpenIdHandler = async (event) => {
  // The access token goes to this issuer alone, and only its people may log in.
  if (event.id_token.iss !== ISSUER)
    return forbidden('Please log in with your account of this organisation.');
  return handleOpenIdUserLoggedIn(await userInfo(event, { issuers: [ISSUER] }));
};

export default userInfoProfile;
