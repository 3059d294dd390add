/**
 * User groups for the groups of one Entra tenant, however many a person is in: Entra leaves the groups out of the
 * token above 200, and Microsoft Graph is asked instead.
 */
import { mapOpenIdLogin } from 'login-hooks';

const TENANT = process.env.ENTRA_TENANT ?? '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';

export default mapOpenIdLogin({
  issuers: { [`https://login.microsoftonline.com/${TENANT}/v2.0`]: {} },
  groups: {
    from: ['groups'],
    overage: {
      ask: 'graph',
      secret: process.env.ENTRA_SECRET_ID ?? 'login-hooks/entra-graph',
      security_enabled_only: true,
    },
    table: [
      { group: 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5', uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
});
