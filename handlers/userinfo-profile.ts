/** For a provider whose ID token says little: asks its UserInfo endpoint first, and decides as the default handler. */
import { handleOpenIdUserLoggedIn, type OpenIdHandler, userInfo } from '#sdk';

const ISSUERS = [process.env.USERINFO_ISSUER ?? 'https://connect.surfconext.example'];

const userInfoProfile: OpenIdHandler = async (event) =>
  handleOpenIdUserLoggedIn(await userInfo(event, { issuers: ISSUERS }));

export default userInfoProfile;
