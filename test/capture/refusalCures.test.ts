/** Refusals in the words of real providers: what is said of each, and in which captures they are found. */
import { describe, expect, test } from '@jest/globals';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { oauthFix, samlFix } from '../../tools/capture/refusals.ts';
import { entry, har, posted } from './caught.ts';

const ASKED = { redirectUri: 'https://app.example.net/cb', scopes: 'openid email', hasSecret: true };
const DISABLED = /^Enable the client at the provider \(Keycloak: client, switch "Enabled"\)\.$/;
const ASSIGN = /^Assign the person to this application at the provider \(Entra: .*; Okta: "Assignments"/;
const REGISTER = /^Register exactly this redirect address for the client: https:\/\/app\.example\.net\/cb$/;
const SECRET = /the secret may be replaced or expired/;

describe('OpenID Connect', () => {
  test.each<[by: string, error: string, description: string | undefined, cure: RegExp]>([
    ['Keycloak 26.7', 'Client disabled.', undefined, DISABLED],
    ['Keycloak 26.7', 'Client not found.', undefined, /^Check the client id/],
    ['Keycloak 26.7', 'Invalid parameter: redirect_uri', undefined, REGISTER],
    [
      'Keycloak 26.7',
      'invalid_request',
      'Pushed Authorization Request is only allowed.',
      /\(PAR\).*turn that off/,
    ],
    [
      'Keycloak 26.7',
      'unauthorized_client',
      'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
      /^Allow the authorization code flow .*"Standard flow"/,
    ],
    ['Keycloak 26.7', 'unauthorized_client', 'Invalid client or Invalid client credentials', SECRET],
    ['Keycloak 26.7', 'access_denied', undefined, /^The person or a rule of the provider refused/],
    [
      'Entra',
      'access_denied',
      "AADSTS50105: Your administrator has configured the application Contoso ('a1b2c3d4-5e6f-4071-8a9b-0c1d2e3f4a5b') to block users unless they are specifically granted ('assigned') access to the application.",
      ASSIGN,
    ],
    [
      'Entra',
      'invalid_request',
      "AADSTS50011: The redirect URI 'https://app.example.net/cb' specified in the request does not match the redirect URIs configured for the application 'a1b2c3d4'.",
      REGISTER,
    ],
    [
      'Entra',
      'invalid_client',
      'AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
      SECRET,
    ],
    [
      'Entra',
      'invalid_client',
      "AADSTS700025: Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
      /^The client is public: sign in without a secret/,
    ],
    [
      'Entra',
      'unauthorized_client',
      "AADSTS700016: Application with identifier 'a1b2c3d4' was not found in the directory 'Contoso'.",
      /^Check the client id and the tenant/,
    ],
    [
      'Entra',
      'consent_required',
      'AADSTS65001: The user or administrator has not consented to use the application.',
      /^Have an administrator consent/,
    ],
    [
      'Entra',
      'access_denied',
      'AADSTS53003: Access has been blocked by Conditional Access policies.',
      /Conditional Access/,
    ],
    ['Okta', 'access_denied', 'User is not assigned to the client application.', ASSIGN],
    [
      'Okta',
      'access_denied',
      'Policy evaluation failed for this request, please check the policy configurations.',
      /^No access policy of the authorization server/,
    ],
    [
      'Okta',
      'invalid_request',
      "The 'redirect_uri' parameter must be a Login redirect URI in the client app settings",
      REGISTER,
    ],
    [
      'AD FS',
      'invalid_request',
      "MSIS9224: Received invalid OAuth authorization request. The received 'redirect_uri' parameter is not a valid registered redirect URI.",
      REGISTER,
    ],
    [
      'AD FS',
      'invalid_request',
      "MSIS9223: Received invalid OAuth authorization request. The received 'client_id' is invalid.",
      /^Check the client id \(AD FS: /,
    ],
  ])('%s: %s %s', (_, error, error_description, cure) => {
    expect(oauthFix({ error, error_description }, ASKED)).toMatch(cure);
  });
});

describe('SAML', () => {
  test.each<[by: string, codes: string[], message: string, cure: RegExp]>([
    [
      'Entra',
      ['Responder'],
      'AADSTS50105: The signed in user is not assigned to a role for the application.',
      ASSIGN,
    ],
    [
      'Entra',
      ['Requester', 'NoAuthnContext'],
      "AADSTS75011: Authentication method 'X509, MultiFactor' by which the user authenticated with the service doesn't match requested authentication method 'Password, ProtectedTransport'.",
      /RequestedAuthnContext/,
    ],
    ['AD FS', ['Responder', 'InvalidNameIDPolicy'], '', /\(AD FS: a claim rule that issues a NameID/],
    ['Shibboleth', ['Responder', 'AuthnFailed'], 'An error occurred.', /^The person did not sign in/],
    ['Keycloak 26.7', ['Responder', 'RequestDenied'], '', /does not let this person use this service/],
    ['nobody known', ['Responder', '__proto__'], '', /^See the log of the provider at that time\.$/],
  ])('%s: %s %s', (_, codes, message, cure) => expect(samlFix(codes, message)).toMatch(cure));
});

const APP = 'https://app.example.net/callback';
const DENIED =
  'error=access_denied&error_description=User+is+not+assigned+to+the+client+application.&state=x';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const FAILED = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" InResponseTo="_1"><samlp:Status><samlp:StatusCode Value="${STATUS}Responder"><samlp:StatusCode Value="${STATUS}RequestDenied"/></samlp:StatusCode><samlp:StatusMessage>ada@example.org is not assigned to the application.</samlp:StatusMessage></samlp:Status></samlp:Response>`;

describe('a refusal is read, with what to do,', () => {
  const redirected = (location: string) => {
    const one = entry({});
    return { ...one, response: { ...one.response, headers: [{ name: 'Location', value: location }] } };
  };
  test.each<[string, () => string]>([
    ['of an address alone', () => `${APP}?${DENIED}`],
    ['of an address with a fragment', () => `${APP}#${DENIED}`],
    ['of a form body', () => DENIED],
    [
      'of a token endpoint',
      () => '{"error":"access_denied","error_description":"User is not assigned to the client application."}',
    ],
    ['of a HAR file, in the query', () => har(entry({ url: `${APP}?${DENIED}` }))],
    ['of a HAR file, in a redirect with a fragment', () => har(redirected(`${APP}#${DENIED}`))],
    [
      'of a HAR file, once where it is both in the redirect and in the request',
      () => har(redirected(`${APP}?${DENIED}`), entry({ url: `${APP}?${DENIED}` })),
    ],
    [
      'of a HAR file, in a form post',
      () => har(entry({ method: 'POST', url: APP, postData: { text: DENIED } })),
    ],
    ['of a SAML-tracer export', () => JSON.stringify({ requests: [{ url: `${APP}?${DENIED}` }] })],
    ['of a HAR file, by SAML', () => har(posted(FAILED))],
    [
      'of a SAML-tracer export, by SAML',
      () => JSON.stringify({ requests: [{ url: APP, post: [['SAMLResponse', '{hash:1}']], saml: FAILED }] }),
    ],
  ])('%s', async (_, make) => {
    const captures = await readCapture(make(), { environment: () => ({}) });
    expect(captures).toHaveLength(1);
    expect(captures[0]).toMatchObject({
      events: null,
      findings: [
        {
          level: 'error',
          message: expect.stringMatching(
            /^The provider refused the login: .*is not assigned to the \w+ ?\w*\.$/,
          ),
          change: expect.stringMatching(ASSIGN),
        },
      ],
    });
    expect(JSON.stringify(captures)).not.toContain('ada@');
  });

  test('of the provider that it names', async () => {
    const iss = encodeURIComponent('https://example.okta.com/oauth2/default');
    const [captured] = await readCapture(`${APP}?${DENIED}&iss=${iss}`, { environment: () => ({}) });
    expect(captured?.findings[0]?.change).toBe(
      'Assign the person to this application at the provider (Okta: "Assignments").',
    );
  });
});

test.each([
  ['a page of its own with an error', `${APP}?error=cart_empty`],
  ['an address without a refusal', `${APP}?state=x&mirror=error`],
])('%s is none', async (_, text) => {
  await expect(readCapture(text, { environment: () => ({}) })).rejects.toThrow('without a login');
});
