/** The other systems that a mapping asks: of which issuers, and what is a mistake. */
import { describe, expect, test } from '@jest/globals';
import { type OpenIdMapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { issuerParts } from '../../lib/profile/schema/ofIssuer.ts';
import { sourcesOf } from '../../lib/profile/sources.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import { G1 } from './decided.ts';

const ISSUER = 'https://idp.example.org';
const HERE = 'http://localhost:8080/realms/campus';
const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const ENTRA = `https://login.microsoftonline.com/${TENANT}/v2.0`;
const overage = { ask: 'graph', secret: 'login-hooks/entra-graph', security_enabled_only: true } as const;
const groups = { from: ['groups'], overage };

function allSources(mapping: OpenIdMapping) {
  return issuerParts(parseMapping(mapping)).flatMap((part) => sourcesOf(part, 'OpenID') ?? []);
}

/** Of each issuer of which something is asked, what. */
function asked(mapping: OpenIdMapping): Record<string, unknown> {
  const sources = allSources(mapping).map(({ issuer, userinfo, graph }) => {
    const of = [...(userinfo ? ['userinfo'] : []), ...(graph ? [graph.tenant.cloud.graph] : [])];
    return [issuer, of] as const;
  });
  return Object.fromEntries(sources);
}

const GRAPH = 'https://graph.microsoft.com';
const ONE_OF_TWO = { [ISSUER]: { userinfo: true }, 'https://b.example': {} };
const OF_IDS: OpenIdMapping = {
  issuers: { [ENTRA]: { rules: [{ no_group: [G1] }] } },
  groups: { ...groups, table: [{ group: G1.toUpperCase(), uuid: G1 }] },
  rules: [{ any_group: [G1] }],
};

test.each<[string, OpenIdMapping, Record<string, string[]>]>([
  ['no issuer of a mapping that says nothing', { issuers: { [ISSUER]: {} } }, {}],
  ['UserInfo, of the issuer that says so', { issuers: ONE_OF_TWO }, { [ISSUER]: ['userinfo'] }],
  ['UserInfo, of a provider here', { issuers: { [HERE]: { userinfo: true } } }, { [HERE]: ['userinfo'] }],
  ['Graph, of each issuer', OF_IDS, { [ENTRA]: [GRAPH] }],
  [
    'Graph, of the issuer with such groups',
    { issuers: { [ENTRA]: { groups }, [ISSUER]: {} } },
    { [ENTRA]: [GRAPH] },
  ],
  ['no Graph beside other groups', { issuers: { [ISSUER]: { groups: { from: ['groups'] } } }, groups }, {}],
])('a mapping asks: %s', (_, mapping, expected) => {
  expect(asked(mapping)).toEqual(expected);
});

const ONLINE = ['https://login.microsoftonline.com', GRAPH];
const US = ['https://login.microsoftonline.us', 'https://graph.microsoft.us'];
const CHINA = ['https://login.partner.microsoftonline.cn', 'https://microsoftgraph.chinacloudapi.cn'];

test.each([
  [ENTRA, ...ONLINE],
  [`https://sts.windows.net/${TENANT}/`, ...ONLINE],
  [`https://login.microsoftonline.us/${TENANT}/v2.0`, ...US],
  [`https://login.partner.microsoftonline.cn/${TENANT}/v2.0`, ...CHINA],
  [`https://login.chinacloudapi.cn/${TENANT}/v2.0`, ...CHINA],
  [`https://sts.chinacloudapi.cn/${TENANT}/`, ...CHINA],
])('the cloud of %s', (issuer = '', login, graph) => {
  const [source] = allSources({ issuers: { [issuer]: {} }, groups });
  expect(source?.graph).toEqual({
    tenant: { id: TENANT, cloud: { login, graph } },
    secretId: 'login-hooks/entra-graph',
    securityEnabledOnly: true,
  });
});

describe('a mistake is', () => {
  const asksUserInfo = (issuer: string): OpenIdMapping => ({ issuers: { [issuer]: { userinfo: true } } });
  const asksGraph = (issuer: string): OpenIdMapping => ({ issuers: { [issuer]: {} }, groups });
  const asking = (more: object) => ({ ...asksGraph(ENTRA), groups: { ...groups, ...more } });
  const asked = (more: object) => asking({ overage: { ...overage, ...more } });
  const userinfo = 'userinfo: expected only of an issuer that is an https URL without query';
  const tenants = 'groups.overage: expected only beside issuers that are tenants of Entra';
  const ending = /^groups\.overage: expected only beside issuers that are tenants of Entra, e\.g\. .*v2\.0$/;
  const whole = { secret: `whsec_${'a'.repeat(32)}` };
  const ids = 'groups.overage: expected each group of the table and of the rules to be an object id';
  const common = 'https://login.microsoftonline.com/common/v2.0';

  test.each<[string, OpenIdMapping, string | RegExp]>([
    ['UserInfo without TLS', asksUserInfo('http://a.example'), `issuers.http://a.example.${userinfo}`],
    ['UserInfo behind a query', asksUserInfo('https://a.example?b=c'), userinfo],
    ['UserInfo behind a query here', asksUserInfo('http://localhost/?b=c'), userinfo],
    ['UserInfo at no host', asksUserInfo('https://['), userinfo],
    ['Graph without issuers', { groups }, ending],
    ['Graph for another provider', asksGraph(ISSUER), tenants],
    ['Graph for every tenant', { issuers: { [common]: { groups } } }, `issuers.${common}.${tenants}`],
    ['Graph of a cloud that ended', asksGraph(ENTRA.replace('.com', '.de')), tenants],
    ['Graph for a host like Entra’s', asksGraph(ENTRA.replace('.com', '.com.evil.example')), tenants],
    ['Graph behind another scheme', asksGraph(`x${ENTRA}`), tenants],
    ['Graph above another path', asksGraph(`${ENTRA}/x`), tenants],
    ['Graph beside another claim', asking({ from: ['groups', 'roles'] }), "groups.from: expected ['groups']"],
    ['a row that is no id', asking({ table: [{ group: 'staff', uuid: G1 }] }), ids],
    ['a row of many groups', asking({ table: [{ group: { prefix: G1 }, uuid: G1 }] }), ids],
    ['a rule on a name', { ...asksGraph(ENTRA), rules: [{ any_group: [G1, 'staff'] }] }, ids],
    ['another system', asked({ ask: 'ldap' }), "groups.overage.ask: expected 'graph'"],
    ['a secret for its name', asked(whole), 'groups.overage.secret: expected'],
  ])('%s', (_, mapping, problem) => {
    expect(() => mapOpenIdLogin(mapping)).toThrow(problem);
  });

  test.each<[string, OpenIdMapping, string]>([
    ['UserInfo', { issuers: { [ISSUER]: { userinfo: true } } }, `issuers.${ISSUER}.userinfo`],
    ['Graph', { issuers: { [ENTRA]: {} }, groups }, 'groups.overage'],
  ])('%s of SAML', (_, mapping, path) => {
    expect(() => mapSamlLogin(mapping as never)).toThrow(`${path}: expected only in OpenID mappings`);
  });
});
