/** The other systems that a mapping asks about a person, by issuer. What would ask in vain is a mistake in the mapping. */
import { type EntraTenant, entraTenant, isDiscoverable } from '../issuers.ts';
import type { LoginKind } from '../kinds.ts';
import { UUID } from '../text.ts';
import { namedGroups } from './rules/rules.ts';
import { invalid } from './schema/mappingSchema.ts';
import type { IssuerPart } from './schema/ofIssuer.ts';

export interface Sources {
  issuer: string;
  /** Whether its UserInfo gives the claims that the ID token lacks. */
  userinfo: boolean;
  graph: GraphSource | null;
}

/** Microsoft Graph, for the groups that Entra leaves out. */
export interface GraphSource {
  tenant: EntraTenant;
  /** The name or ARN of the secret with the client's credentials. */
  secretId: string;
  securityEnabledOnly: boolean;
}

/**
 * @returns null where nothing else is asked about the people of this issuer
 * @throws {MappingInvalid}
 */
export function sourcesOf(part: IssuerPart, kind: LoginKind): Sources | null {
  const { issuer, path, groups, asksUserInfo } = part;
  if (issuer === null) {
    if (groups?.overage) throw invalid('groups.overage', EXPECTED_TENANTS);
    return null;
  }
  if (asksUserInfo && kind === 'SAML') throw invalid(`${path}userinfo`, OPENID_ALONE);
  if (asksUserInfo && !isDiscoverable(issuer)) throw invalid(`${path}userinfo`, EXPECTED_HTTPS);
  const graph = graphSource(part, issuer, kind);
  return asksUserInfo || graph ? { issuer, userinfo: asksUserInfo, graph } : null;
}

function graphSource({ groups, rules }: IssuerPart, issuer: string, kind: LoginKind): GraphSource | null {
  if (!groups?.overage) return null;
  const path = `${groups.path}.overage`;
  if (kind === 'SAML') throw invalid(path, OPENID_ALONE);
  const tenant = entraTenant(issuer);
  if (!tenant) throw invalid(path, `${EXPECTED_TENANTS}, unlike ${issuer}`);
  if (groups.from.join() !== 'groups') throw invalid(`${groups.path}.from`, EXPECTED_GROUPS);
  // What is no text, such as a prefix, becomes none that is an id.
  const areIds = namedGroups(groups, rules).every((group) => UUID.test(String(group)));
  if (!areIds) throw invalid(path, EXPECTED_IDS);
  const { secret, security_enabled_only } = groups.overage;
  return { tenant, secretId: secret, securityEnabledOnly: security_enabled_only };
}

const OPENID_ALONE = 'expected only in OpenID mappings';
const EXPECTED_HTTPS = 'expected only of an issuer that is an https URL without query, or http on localhost';
const EXPECTED_TENANTS =
  'expected only beside issuers that are tenants of Entra, e.g. https://login.microsoftonline.com/<tenant id>/v2.0';
const EXPECTED_GROUPS = "expected ['groups'] beside overage: Microsoft Graph gives only this claim";
const EXPECTED_IDS =
  'expected each group of the table and of the rules to be an object id, because Microsoft Graph names groups so';
