/** User groups for the groups of an Entra tenant, which names them by object id; only their members may log in. */
import { mapOpenIdLogin } from '#sdk';

const ADMINISTRATORS = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

export default mapOpenIdLogin({
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
