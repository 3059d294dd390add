/** Lets in the people of one organisation, and tells the others why they are not let in. */
import { forbidden, handleOpenIdUserLoggedIn, type OpenIdHandler } from '#sdk';

const DOMAIN = '@example.org';

const onlyOurDomain: OpenIdHandler = (event) => {
  const answer = handleOpenIdUserLoggedIn(event);
  if (answer.type !== 'AuthorizedUserResponse' || answer.email.toLowerCase().endsWith(DOMAIN)) return answer;
  return forbidden(`Please log in with your ${DOMAIN} account.`);
};

export default onlyOurDomain;
