/**
 * User groups for the groups of one Entra tenant, which names them by object id; only their members may log in.
 * The issuer names the tenant: object ids of groups mean nothing in a token of another tenant.
 */
import { mapOpenIdLogin } from 'login-hooks';

const ISSUER = 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0';
const ADMINISTRATORS = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

export default mapOpenIdLogin({
  issuers: { [ISSUER]: {} },
  groups: {
    from: ['groups'],
    table: [
      { group: ADMINISTRATORS, uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: EDITORS, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
  rules: [
    { any_group: [ADMINISTRATORS, EDITORS], message: 'Ask your IT department for access to this service.' },
  ],
});
