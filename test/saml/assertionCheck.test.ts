/** Assertions of a real provider that are meant for somebody else or for another time. */
import { beforeAll, expect, test } from '@jest/globals';
import { login, sharedFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { type Issued, type SamlProvider, samlProvider } from '../support/samlIdp.ts';
import { ACS, ENTITY_ID, signIn } from '../support/samlService.ts';
import { overHttp } from '../support/wire.ts';

const IDP = 'https://idp.example.org/saml';
const OTHER_ENTITY_ID = 'https://other-app.example.net';
const OTHER_ACS = 'https://other-app.example.net/acs';
const HANDLER = `export default () => {
  console.log('THE HANDLER RAN');
  return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
};`;

const SAML_ISSUERS = JSON.stringify({ [IDP]: { audiences: [ENTITY_ID], recipients: [ACS] } });
const checked = { SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS };

let provider: SamlProvider;
beforeAll(async () => {
  provider = await samlProvider(IDP, ACS);
});

test('an assertion as it should be is accepted', async () => {
  const event = await signIn(provider);
  const { status, answer, records } = await login('samlLoggedIn', overHttp(event), { env: checked });
  expect(status).toBe(200);
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
  expect(answer).toMatchObject({ type: 'AuthorizedUserResponse', ...ada });
  expect(records).toMatchObject([
    { event: 'cold_start', samlAssertionCheck: 'on', issuers: [IDP] },
    { event: 'login', reason: 'authorized', issuer: IDP },
  ]);
});

const SAML_HANDLER_MODULE = await customHandler(HANDLER);
const strict = { ...checked, SAML_HANDLER_MODULE, CLOCK_SKEW_SECONDS: '0', AWS_LAMBDA_LOG_LEVEL: 'DEBUG' };
const answerOf = sharedFunction('samlLoggedIn', { env: strict });

test.each<[string, string, Issued]>([
  ['audience_refused', 'another audience', { audience: OTHER_ENTITY_ID }],
  ['expired', 'a time that is over', { lifetimeInSeconds: -1 }],
  ['issuer_refused', 'an issuer that is not listed', { issuer: 'https://evil.example.org' }],
  ['confirmation_refused', 'another recipient', { recipient: OTHER_ACS }],
])('refused, before the handler runs: assertion_%s: %s', async (reason, _case, issued) => {
  const event = await signIn(provider, issued);
  for (const sent of [overHttp(event), event]) {
    const { status, answer, record, output } = await answerOf(sent);
    expect(status).toBe(sent === event ? null : 422);
    expect(answer.type).toBe('ErrorResponse');
    expect(record).toMatchObject({ reason: `assertion_${reason}`, status: 422 });
    expect(output).not.toContain('THE HANDLER RAN');
    expect(output).not.toContain(OTHER_ENTITY_ID);
  }
});
