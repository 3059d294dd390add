/** The groups of a person beyond Entra's limit, from Microsoft Graph. */
import * as v from 'valibot';
import { MAX_GROUPS, type Name } from '../profile/fields/reader.ts';
import type { GraphSource } from '../profile/sources.ts';
import { LookUpFailed } from '../reasons.ts';
import { isJsonObject } from '../schema.ts';
import { UUID } from '../text.ts';
import { getAccessToken } from '../toolkit/accessToken.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { endpoint, url } from '../toolkit/url.ts';
import { ClaimsReader, noteElsewhere } from './claims.ts';
import type { IdToken, OpenIdUserLoggedInEvent } from './model.ts';

const NEXT_PAGE = '@odata.nextLink';
const Memberships = v.object({
  [NEXT_PAGE]: v.optional(v.unknown()),
  value: v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.maxLength(MAX_GROUPS)),
});

const name = 'groups';
const GROUPS: Name = { name, key: name };

/**
 * Puts the groups that Microsoft Graph names into the claim `groups`, where Entra left them out: it says so
 * (`hasgroups`, `_claim_names`), or there is no such claim.
 *
 * @throws {LookUpFailed} also where the token names nobody in this tenant
 * @throws {SecretFailed}
 */
export async function completeGroups(event: OpenIdUserLoggedInEvent, source: GraphSource): Promise<void> {
  const { other_claims: claims } = event.id_token;
  const reader = new ClaimsReader(event);
  const own = claims.groups ?? [];
  const isComplete = reader.has(GROUPS) && !reader.hasOverage(GROUPS);
  if (isComplete || !Array.isArray(own)) return;
  const ids = await groupsOf(personIn(event.id_token, source), source);
  claims.groups = [...new Set([...own, ...ids])];
  noteElsewhere(claims, { origins: { groups: 'graph' } });
  delete claims.hasgroups;
  delete claims['groups:src1'];
  if (isJsonObject(claims._claim_names)) delete claims._claim_names.groups;
}

/** The object id, which means nothing in another tenant. */
function personIn({ other_claims: { tid, oid } }: IdToken, { tenant }: GraphSource): string {
  const problems = [
    ...(tid === tenant.id ? [] : ['tid: expected the tenant of the issuer']),
    ...(typeof oid === 'string' && UUID.test(oid) ? [] : ['oid: expected the object id of a person']),
  ];
  if (problems.length === 0) return String(oid);
  throw new LookUpFailed('lookup_url_refused', endpoint(tenant.cloud.graph).host, null, problems);
}

/** What the person is in, directly or through other groups (Microsoft Graph v1.0, directoryObject: getMemberGroups). */
async function groupsOf(oid: string, source: GraphSource): Promise<string[]> {
  const { tenant, secretId, securityEnabledOnly } = source;
  const graph = endpoint(tenant.cloud.graph);
  const ask = async (refresh: boolean) => {
    const token = await getAccessToken({
      tokenUrl: url`${endpoint(tenant.cloud.login)}/${tenant.id}/oauth2/v2.0/token`,
      secretId,
      scope: `${tenant.cloud.graph}/.default`,
      refresh,
    });
    const headers = { authorization: `Bearer ${token}` };
    return lookUp(url`${graph}/v1.0/users/${oid}/getMemberGroups`, Memberships, {
      headers,
      json: { securityEnabledOnly },
    });
  };
  const { value, [NEXT_PAGE]: next = null } = await ask(false).catch((error) => {
    // Graph refused the access token: get a new one, once.
    if (error instanceof LookUpFailed && error.status === 401 && error.host === graph.host) return ask(true);
    throw error;
  });
  // It sends all groups at once; what may be missing must not pass for none.
  if (next === null) return value;
  throw new LookUpFailed('lookup_unexpected', graph.host, 200, ['expected all groups on one page']);
}
