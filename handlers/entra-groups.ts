/**
 * User groups for the groups of one Entra tenant, however many a person is in: Entra leaves the groups out of the
 * token above 200, and Microsoft Graph is asked instead. Graph is asked about people of this tenant alone.
 */

import {
  endpoint,
  followLink,
  getAccessToken,
  LookUpFailed,
  type LookUpUrl,
  lookUp,
  mapOpenIdLogin,
  type OpenIdHandler,
  url,
} from 'login-hooks';
import * as v from 'valibot';

const TENANT = process.env.ENTRA_TENANT ?? '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const login = endpoint(process.env.ENTRA_LOGIN_URL ?? 'https://login.microsoftonline.com');
const graph = endpoint(process.env.GRAPH_URL ?? 'https://graph.microsoft.com/v1.0');
const secretId = process.env.ENTRA_SECRET_ID ?? 'login-hooks/entra-graph';
const scope = 'https://graph.microsoft.com/.default';
const MAX_PAGES = 20;

const ISSUER = `https://login.microsoftonline.com/${TENANT}/v2.0`;

const mapped = mapOpenIdLogin({
  issuers: { [ISSUER]: {} },
  groups: {
    from: ['groups'],
    table: [
      { group: 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5', uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
});

const Page = v.object({
  value: v.array(v.object({ id: v.string() })),
  '@odata.nextLink': v.optional(v.string()),
});

const entraGroups: OpenIdHandler = async (event) => {
  const { iss, other_claims: claims } = event.id_token;
  const isTooMany = claims.hasgroups === true || claims._claim_names !== undefined;
  if (isTooMany && iss === ISSUER && claims.tid === TENANT && typeof claims.oid === 'string') {
    const { oid } = claims;
    claims.groups = await groupsOf(oid).catch((error) => {
      // Graph refused the access token: get a new one, once.
      if (error instanceof LookUpFailed && error.status === 401) return groupsOf(oid, true);
      throw error;
    });
    delete claims.hasgroups;
    delete claims._claim_names;
  }
  return mapped(event);
};

async function groupsOf(oid: string, refresh = false): Promise<string[]> {
  const token = await getAccessToken({
    tokenUrl: url`${login}/${TENANT}/oauth2/v2.0/token`,
    secretId,
    scope,
    refresh,
  });
  const headers = { authorization: `Bearer ${token}` };
  const ids: string[] = [];
  let page: LookUpUrl | null = url`${graph}/users/${oid}/transitiveMemberOf/microsoft.graph.group?$select=id&$top=999`;
  for (let pages = 0; page && pages < MAX_PAGES; pages++) {
    const { value, '@odata.nextLink': next }: v.InferOutput<typeof Page> = await lookUp(page, Page, {
      headers,
    });
    ids.push(...value.map(({ id }) => id));
    page = next === undefined ? null : followLink(page, next);
  }
  if (page) throw new Error('more groups than can be read');
  return ids;
}

export default entraGroups;
