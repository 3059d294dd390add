/** The other systems that a mapping asks about a person, by issuer. What would ask in vain is a mistake in the mapping. */
import { type EntraTenant, entraTenant, isHttpsIssuer } from '../issuers.ts';
import type { LoginKind } from '../kinds.ts';
import { UUID } from '../text.ts';
import { groupsOfRule } from './rules/rules.ts';
import { type Group, MappingInvalid } from './schema/mappingSchema.ts';
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
export function sourcesOf(
  { issuer, path, groups, rules, asksUserInfo }: IssuerPart,
  kind: LoginKind,
): Sources | null {
  if (issuer === null) {
    if (groups?.overage) throw invalid('groups.overage', EXPECTED_TENANTS);
    return null;
  }
  if (asksUserInfo && kind === 'SAML') throw invalid(`${path}userinfo`, OPENID_ALONE);
  if (asksUserInfo && !isHttpsIssuer(issuer)) throw invalid(`${path}userinfo`, EXPECTED_HTTPS);
  const named = [
    // Stryker disable next-line ArrayDeclaration: without groups, they are not looked at.
    ...(groups?.table.map(({ group }) => group) ?? []),
    ...rules.flatMap(({ rule }) => groupsOfRule(rule)),
  ];
  const graph = graphSource(issuer, groups, named, kind);
  return asksUserInfo || graph ? { issuer, userinfo: asksUserInfo, graph } : null;
}

function graphSource(
  issuer: string,
  groups: IssuerPart['groups'],
  named: readonly Group[],
  kind: LoginKind,
): GraphSource | null {
  if (!groups?.overage) return null;
  const path = `${groups.path}.overage`;
  if (kind === 'SAML') throw invalid(path, OPENID_ALONE);
  const tenant = entraTenant(issuer);
  if (!tenant) throw invalid(path, `${EXPECTED_TENANTS}, unlike ${issuer}`);
  if (groups.from.join() !== 'groups') throw invalid(`${groups.path}.from`, EXPECTED_GROUPS);
  if (!named.every(isObjectId)) throw invalid(path, EXPECTED_IDS);
  const { secret, security_enabled_only } = groups.overage;
  return { tenant, secretId: secret, securityEnabledOnly: security_enabled_only };
}

/** Microsoft Graph names a group only by its object id. What is no text, such as a prefix, becomes none that is an id. */
function isObjectId(group: Group): boolean {
  return UUID.test(String(group));
}

function invalid(path: string, expected: string): MappingInvalid {
  return new MappingInvalid(`${path}: ${expected}`);
}

const OPENID_ALONE = 'expected only in OpenID mappings';
const EXPECTED_HTTPS = 'expected only of an issuer that is an https URL without query';
const EXPECTED_TENANTS =
  'expected only beside issuers that are tenants of Entra, e.g. https://login.microsoftonline.com/<tenant id>/v2.0';
const EXPECTED_GROUPS = "expected ['groups'] beside overage: Microsoft Graph gives only this claim";
const EXPECTED_IDS =
  'expected each group of the table and of the rules to be an object id, because Microsoft Graph names groups so';
