/** Assertions of a real provider that are meant for somebody else or for another time. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, login } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { type Issued, type SamlProvider, samlProvider } from '../support/samlIdp.ts';
import { ACS, ENTITY_ID, signIn } from '../support/samlService.ts';
import { overHttp } from '../support/wire.ts';

const IDP = 'https://idp.example.org/saml';
const SECOND_ENTITY_ID = 'urn:app:2';
const SECOND_ACS = 'https://app.example.net/saml/acs2';
const OTHER_IDP = 'https://other-idp.example.org';
const OTHER_ENTITY_ID = 'https://other-app.example.net';
const OTHER_ACS = 'https://other-app.example.net/acs';
const HANDLER = `export default () => {
  console.log('THE HANDLER RAN');
  return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
};`;

const ISSUERS = {
  [IDP]: { audiences: [ENTITY_ID, SECOND_ENTITY_ID], recipients: [ACS, SECOND_ACS] },
  [OTHER_IDP]: { audiences: [OTHER_ENTITY_ID], recipients: [OTHER_ACS] },
};
const checked = { SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS: JSON.stringify(ISSUERS) };

let provider: SamlProvider;
beforeAll(async () => {
  provider = await samlProvider(IDP, ACS);
});

test('an assertion as it should be is accepted', async () => {
  const event = await signIn(provider);
  const { status, answer, records } = await login('samlLoggedIn', overHttp(event), { env: checked });
  expect(status).toBe(200);
  expect(answer).toMatchObject({
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
  });
  expect(records).toMatchObject([
    { event: 'cold_start', samlAssertionCheck: 'on', issuers: expect.arrayContaining([IDP]) },
    { event: 'login', reason: 'authorized', issuer: IDP },
  ]);
});

describe('refused, before the handler runs:', () => {
  let fn: FunctionProcess;
  beforeAll(async () => {
    const env = {
      ...checked,
      CLOCK_SKEW_SECONDS: '0',
      SAML_HANDLER_MODULE: await customHandler(HANDLER),
      AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
    };
    fn = await startFunction({ name: 'samlLoggedIn', env });
  });
  afterAll(() => fn.stop());

  test.each<[string, string, Issued]>([
    ['audience_refused', 'another audience', { audience: OTHER_ENTITY_ID }],
    ['expired', 'a time that is over', { lifetimeInSeconds: -1 }],
    ['issuer_refused', 'an issuer that is not listed', { issuer: 'https://evil.example.org' }],
    ['audience_refused', 'our audience of another issuer', { issuer: OTHER_IDP }],
    ['confirmation_refused', 'another recipient', { recipient: OTHER_ACS }],
    [
      'confirmation_refused',
      'our recipient of another issuer',
      { issuer: OTHER_IDP, audience: OTHER_ENTITY_ID },
    ],
  ])('assertion_%s: %s', async (reason, _case, issued) => {
    const event = await signIn(provider, issued);
    for (const [sent, expected] of [
      [overHttp(event), 422],
      [event, null],
    ] as const) {
      const { status, answer, record, output } = await answerOf(fn, sent);
      expect(status).toBe(expected);
      expect(answer.type).toBe('ErrorResponse');
      expect(record).toMatchObject({ reason: `assertion_${reason}`, status: 422 });
      expect(output).not.toContain('THE HANDLER RAN');
      expect(output).not.toContain(OTHER_ENTITY_ID);
    }
  });
});

describe('accepted:', () => {
  let fn: FunctionProcess;
  beforeAll(async () => {
    const env = { ...checked, SAML_HANDLER_MODULE: await customHandler(HANDLER) };
    fn = await startFunction({ name: 'samlLoggedIn', env });
  });
  afterAll(() => fn.stop());

  test.each<[string, Issued]>([
    ['our other audience', { audience: SECOND_ENTITY_ID }],
    ['one audience of several', { audience: [OTHER_ENTITY_ID, ENTITY_ID] }],
    ['our other recipient', { recipient: SECOND_ACS }],
    ['another issuer by its own', { issuer: OTHER_IDP, audience: OTHER_ENTITY_ID, recipient: OTHER_ACS }],
    ['a clock that is less than a minute behind', { lifetimeInSeconds: -50 }],
  ])('%s', async (_, issued) => {
    const { status, record } = await answerOf(fn, overHttp(await signIn(provider, issued)));
    expect(status).toBe(200);
    expect(record).toMatchObject({ reason: 'authorized' });
  });
});

test('with the check off, nothing is checked', async () => {
  const issued = { issuer: 'https://evil.example.org', audience: OTHER_ENTITY_ID, lifetimeInSeconds: -1 };
  const event = await signIn(provider, issued);
  for (const env of [{}, { SAML_ASSERTION_CHECK: 'off', SAML_ISSUERS: checked.SAML_ISSUERS }]) {
    const { status, records } = await login('samlLoggedIn', overHttp(event), { env });
    expect(status).toBe(200);
    expect(records).toMatchObject([
      { event: 'cold_start', samlAssertionCheck: 'off' },
      { reason: 'authorized' },
    ]);
  }
});
