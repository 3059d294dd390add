/** Refusals in the words of real providers: what is shown and said of each, and in which captures they are found. */
import { describe, expect, test } from '@jest/globals';
import { oauthFix, providerWords, samlFix } from '../../tools/capture/refusals.ts';
import { forProvider } from '../../tools/shared/providers.ts';
import { entry, har, posted, readAll, readOne } from './caught.ts';

const APP = 'https://app.example.net/callback';
const ASKED = { redirectUri: APP, scopes: 'openid email', hasSecret: true };
const DISABLED = /^Enable the client at the provider \(Keycloak: client, switch "Enabled"\)\.$/;
const ASSIGN = /^Assign the person to this application at the provider \(Entra: .*; Okta: "Assignments"/;
const REGISTER =
  /^Register exactly this redirect address for the client: https:\/\/app\.example\.net\/callback$/;
const SECRET = /the secret may be replaced or expired/;
const CLIENT_ID = /^Check the client id/;
const NO_POLICY = /^No access policy of the authorization server/;

/** Keycloak 26.7, Entra, Okta and AD FS say these. */
test.each<[error: string, description: string | undefined, fix: RegExp]>([
  ['Client disabled.', undefined, DISABLED],
  ['Client not found.', undefined, CLIENT_ID],
  ['Invalid parameter: redirect_uri', undefined, REGISTER],
  ['invalid_request', 'Pushed Authorization Request is only allowed.', /\(PAR\).*turn that off/],
  ['unauthorized_client', 'Standard flow is disabled for the client.', /^Allow .*"Standard flow"/],
  ['unauthorized_client', 'Invalid client or Invalid client credentials', SECRET],
  ['access_denied', undefined, /^The person or a rule of the provider refused/],
  ['access_denied', 'AADSTS50105: Your administrator has configured the application', ASSIGN],
  ['invalid_request', "AADSTS50011: The redirect URI 'https://a' specified in the request", REGISTER],
  ['invalid_client', 'AADSTS700025: Client is public', /^The client is public: sign in without a secret/],
  ['unauthorized_client', 'AADSTS700016: Application was not found', /^Check the client id and the tenant/],
  ['consent_required', 'AADSTS65001: The user has not consented', /^Have an administrator consent/],
  ['access_denied', 'AADSTS53003: Access has been blocked', /Conditional Access/],
  ['access_denied', 'User is not assigned to the client application.', ASSIGN],
  ['access_denied', 'Policy evaluation failed for this request', NO_POLICY],
  ['invalid_request', "MSIS9223: The received 'client_id' is invalid.", /^Check the client id \(AD FS: /],
  ['login_required', undefined, /sign in there in this browser first/],
  ['server_error', undefined, /see its log/],
  ['__proto__', undefined, /^See the log of the provider about __proto__\.$/],
])('OpenID Connect: %s %s', (error, error_description, fix) => {
  expect(oauthFix({ error, error_description }, ASKED)).toMatch(fix);
});

test.each<[codes: string[], message: string, fix: RegExp]>([
  [['Requester', 'NoAuthnContext'], "AADSTS75011: Authentication method 'X509'", /RequestedAuthnContext/],
  [['Responder', 'InvalidNameIDPolicy'], '', /\(AD FS: a claim rule that issues a NameID/],
  [['Responder', 'RequestDenied'], '', /does not let this person use this service/],
  [['Responder', '__proto__'], '', /^See the log of the provider at that time\.$/],
])('SAML: %s %s', (codes, message, fix) => expect(samlFix(codes, message)).toMatch(fix));

const DENIED =
  'error=access_denied&error_description=User+is+not+assigned+to+the+client+application.&state=x';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const FAILED = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" InResponseTo="_1"><samlp:Status><samlp:StatusCode Value="${STATUS}Responder"><samlp:StatusCode Value="${STATUS}RequestDenied"/></samlp:StatusCode><samlp:StatusMessage>ada@example.org is not assigned to the application.</samlp:StatusMessage></samlp:Status></samlp:Response>`;
const QUERY = `${APP}?${DENIED}`;
const traced = (request: object) => JSON.stringify({ requests: [request] });
const redirected = (redirectURL: string) => {
  const one = entry({});
  return { ...one, response: { ...one.response, redirectURL } };
};

describe('a refusal is read, with what to do, once', () => {
  test.each<[where: string, text: string]>([
    ['of an address among words', `I get ${QUERY} there.`],
    ['of a fragment', `${APP}#${DENIED}`],
    ['of a form body', DENIED],
    ['of a token endpoint', JSON.stringify(Object.fromEntries(new URLSearchParams(DENIED)))],
    ['of a redirect and its request', har(redirected(QUERY), entry({ url: QUERY }))],
    ['of a HAR file, in a form post', har(entry({ method: 'POST', url: APP, postData: { text: DENIED } }))],
    ['of a SAML-tracer export', traced({ url: QUERY })],
    ['of a HAR file, by SAML', har(posted(FAILED))],
    ['of a masked export, by SAML', traced({ post: [['SAMLResponse', '{hash:1}']], saml: FAILED })],
  ])('%s', async (_, text) => {
    const captures = await readAll(text);
    const words = /^The provider refused the login: .*is not assigned to the \w+ ?\w*\.$/;
    const message = expect.stringMatching(words);
    const finding = { level: 'error', message, change: expect.stringMatching(ASSIGN) };
    expect(captures).toMatchObject([{ events: null, findings: [finding] }]);
    expect(JSON.stringify(captures)).not.toContain('ada@');
  });

  test('of the provider that it names', async () => {
    const iss = encodeURIComponent('https://example.okta.com/oauth2/default');
    const { findings } = await readOne(`${QUERY}&iss=${iss}`);
    const change = 'Assign the person to this application at the provider (Okta: "Assignments").';
    expect(findings[0]?.change).toBe(change);
  });

  test.each([`${APP}?error=cart_empty`, `${APP}?state=x&mirror=error`])('%s is none', async (text) => {
    await expect(readAll(text)).rejects.toThrow('without a login');
  });
});

describe("a provider's words are shown", () => {
  test.each([
    ['as they are', 'Invalid code.', 'Invalid code.'],
    ['without addresses', 'ada@example.org is (not eve@example.org) here', '… is (not …) here'],
    ['with a sign alone', 'mail @ example', 'mail @ example'],
    ['without secrets', 'the secret s3cret of s3cret', 'the secret … of …'],
    ['with half an address cut', `${'word '.repeat(399)}ada.lovelace@example.org`, `${'word '.repeat(399)}…`],
    ['however long they are', 'a@@@@'.repeat(2_000_000), '…'],
  ])('%s', (_, text, shown) => expect(providerWords(text, ['s3cret', ''])).toBe(shown));
});

describe('what is said of several providers', () => {
  const changeAt = (...names: string[]) => {
    const switches = names.map((name) => `${name}: its "Switch (of ${name})"`);
    return `Turn it on (${switches.join('; ')}), or else (SAML Core 2.7).`;
  };
  const CHANGE = changeAt(
    ...['Keycloak', 'Entra', 'Okta', 'Google', 'Auth0', 'AD FS', 'Cognito', 'ORCID', 'Apple', 'Shibboleth'],
  );

  test.each([
    ['https://sso.example.edu/realms/campus', 'Keycloak'],
    ['https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0', 'Entra'],
    ['https://login.microsoftonline.us/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0', 'Entra'],
    ['https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/', 'Entra'],
    ['https://dev-1234567.okta.com/oauth2/default', 'Okta'],
    ['http://www.okta.com/exk1a2b3c4d5e6f7g8h9', 'Okta'],
    ['https://accounts.google.com', 'Google'],
    ['https://accounts.google.com/o/saml2?idpid=C01abc2de', 'Google'],
    ['https://example.eu.auth0.com/', 'Auth0'],
    ['urn:campus-example.eu.auth0.com', 'Auth0'],
    ['http://adfs.example.com/adfs/services/trust', 'AD FS'],
    ['https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3', 'Cognito'],
    ['https://orcid.org', 'ORCID'],
    ['https://appleid.apple.com', 'Apple'],
    ['https://idp.example.ac.uk/idp/shibboleth', 'Shibboleth'],
  ])('%s is told what %s needs', (issuer, provider) => {
    expect(forProvider(CHANGE, issuer)).toBe(changeAt(provider));
    expect(forProvider('Turn it on (Nobody: "Switch").', issuer)).toBe('Turn it on.');
  });

  test.each([
    ...['https://login.example.net', 'https://accounts.google.com.example', 'https://okta.com.example/'],
    ...['https://example.org/realms/a/b', '', null],
  ])('%j may be any provider', (issuer) => expect(forProvider(CHANGE, issuer)).toBe(CHANGE));
});
