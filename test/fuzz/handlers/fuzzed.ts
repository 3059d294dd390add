/** Decides by the mapping that comes with the event, in a part of it that no mapping reads; by the default handler where none does. */
import {
  handleOpenIdUserLoggedIn,
  handleSamlUserLoggedIn,
  mapOpenIdLogin,
  mapSamlLogin,
  type OpenIdHandler,
  type SamlHandler,
} from 'login-hooks';

/** Before a mapping, as JSON. */
const PREFIX = 'mapping:';

export const openId: OpenIdHandler = (event) => {
  const mapping = mappingIn(event.token_type);
  return mapping === null ? handleOpenIdUserLoggedIn(event) : mapOpenIdLogin(mapping)(event);
};

export const saml: SamlHandler = (event) => {
  const mapping = mappingIn(event.assertion.authn_statement.session_index);
  return mapping === null ? handleSamlUserLoggedIn(event) : mapSamlLogin(mapping)(event);
};

function mappingIn(text: string | null): never | null {
  return text?.startsWith(PREFIX) ? (JSON.parse(text.slice(PREFIX.length)) as never) : null;
}

export { openId as handleOpenIdUserLoggedIn, saml as handleSamlUserLoggedIn };
