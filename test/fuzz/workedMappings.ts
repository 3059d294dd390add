/** Whom the worked handlers let in that are mappings, and to which user groups. */
import { MAPPING } from '../../lib/profile/decide.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';

export const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
export const ENTRA_ISSUER = `https://login.microsoftonline.com/${TENANT}/v2.0`;
export const ADMINISTRATORS = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
export const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

/** By which user groups Entra's groups are known. */
export const ENTRA_TABLE = [
  { group: ADMINISTRATORS, uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
  { group: EDITORS, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
];

type Mappings = Readonly<Record<string, Mapping>>;

async function mappingsOf(...names: string[]): Promise<Mappings> {
  const handlers = names.map(async (name) => [name, (await import(`../../handlers/${name}.ts`)).default]);
  return Object.fromEntries((await Promise.all(handlers)).map(([name, handler]) => [name, handler[MAPPING]]));
}

export const WORKED_OPENID = await mappingsOf(
  ...['accept-unverified-email', 'email-domain', 'entra-group-table', 'keycloak-roles'],
);

export const WORKED_SAML = await mappingsOf('edugain-federation', 'renamed-attributes');

/** Groups that stand in the ID token, in UserInfo, or in both. */
export const USER_INFO_GROUPS: Mapping = {
  groups: {
    from: ['realm_access.roles', 'groups'],
    absent: ['realm_access.roles', 'groups'],
    table: [
      { group: 'staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: 'editor', uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
  rules: [{ no_group: ['suspended'] }],
};
