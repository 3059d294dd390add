/** User groups for the realm roles and group paths of one Keycloak realm. Another realm may use the same names. */
import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: { 'https://sso.example.edu/realms/campus': {} },
  groups: {
    from: ['realm_access.roles', 'groups'],
    // Keycloak leaves this claim out for people without groups. The roles always arrive: everybody has the default role.
    absent: ['groups'],
    table: [
      { group: 'data-steward', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: { prefix: '/staff/' }, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
  // Suspended is who has that role, or is in a group of that name or in one below it.
  rules: [{ any_group: ['default-roles-campus'] }, { no_group: ['suspended'] }],
});
