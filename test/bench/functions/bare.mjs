/** What somebody would write by hand for one provider: no validation, no log, no deadline. */
export const handler = async ({ idToken: { otherClaims } }) => ({
  type: 'AuthorizedUserResponse',
  first_name: otherClaims.given_name,
  last_name: otherClaims.family_name,
  email: otherClaims.email,
  image_url: null,
  affiliation: null,
  user_group_uuids: [],
});
