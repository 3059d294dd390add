/** User groups for Keycloak's realm roles and group paths. */
import { mapOpenIdLogin } from '#sdk';

export default mapOpenIdLogin({
  groups: {
    from: ['realm_access.roles', 'groups'],
    table: [
      { group: 'data-steward', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: { prefix: '/staff/' }, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
  // Everybody has the default role: without it the provider did not send the roles, and nobody gets in.
  rules: [{ any_group: ['default-roles-campus'] }, { no_group: ['suspended'] }],
});
