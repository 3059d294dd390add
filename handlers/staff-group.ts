/** Puts the people whom one identity provider calls staff into a user group. */
import { attributeValues, mapSamlLogin, type SamlHandler } from 'login-hooks';

const STAFF_GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

// Another provider's "staff" are not ours: it may not log anyone in here.
const campus = mapSamlLogin({ issuers: { 'https://sso.example.edu/realms/campus': {} } });

const staffGroup: SamlHandler = (event) => {
  const response = campus(event);
  if (response.type !== 'AuthorizedUserResponse') return response;
  const isStaff = attributeValues(event, 'Role').includes('staff');
  return { ...response, user_group_uuids: isStaff ? [STAFF_GROUP] : [] };
};

export default staffGroup;
