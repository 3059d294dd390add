import { describe, expect, test } from '@jest/globals';
import { isLoopbackHttp } from '../lib/issuers.ts';
import { readConfiguration as read } from '../lib/readSettings.ts';
import { isSecretId, SETTING_NAMES, type SettingsOf } from '../lib/settings.ts';

const ISSUER = 'https://idp.example.org/realm';
const BY_ISSUER = { [ISSUER]: { audiences: ['a', 'b'], jwks_uri: `${ISSUER}/keys?p=1` } };
const OPENID_ISSUERS = JSON.stringify(BY_ISSUER);
const openidIssuers = new Map(Object.entries(BY_ISSUER));
const SAML_ISSUER = { audiences: ['urn:sp'], recipients: ['https://sp.example.org/acs'] };
const SAML_ISSUERS = JSON.stringify({ 'urn:idp': SAML_ISSUER });
const samlIssuers = new Map([['urn:idp', SAML_ISSUER]]);

type Environment = Record<string, string>;

/** As the function reads it that uses the settings. */
function readConfiguration(env: Environment) {
  return read(kindOf(env), env);
}

function kindOf(env: Environment): SettingsOf {
  return Object.keys(env).some((name) => name.startsWith('SAML_')) ? 'SAML' : 'OpenID';
}

test.each<[SettingsOf, string[]]>([
  ['OpenID', ['OPENID_HANDLER_MODULE', 'RESPONSE_NAMES']],
  ['SAML', ['SAML_HANDLER_MODULE', 'RESPONSE_NAMES']],
  ['both', ['RESPONSE_NAMES']],
])('a function of %s is stopped by settings that it uses alone', (of, stoppedBy) => {
  for (const name of ['OPENID_HANDLER_MODULE', 'SAML_HANDLER_MODULE', 'RESPONSE_NAMES']) {
    expect(read(of, { [name]: '' }).problems.length > 0).toBe(stoppedBy.includes(name));
  }
  expect(read(of, { OPENID_TOKEN_CHECK: 'on' }).problems.length > 0).toBe(of === 'OpenID');
  expect(read(of, { SAML_ASSERTION_CHECK: 'on' }).problems.length > 0).toBe(of === 'SAML');
});

test('needs no setting', () => {
  expect(readConfiguration({})).toMatchObject({ problems: [], logging: { level: 'INFO', isJson: false } });
});

test.each([
  [{ OPENID_HANDLER_MODULE: 'handlers/x' }, { openidHandlerModule: 'handlers/x' }],
  [{ SAML_HANDLER_MODULE: 'default' }, { samlHandlerModule: null }],
  [{ RESPONSE_NAMES: 'camelCase' }, { responseNames: 'camelCase' }],
  [{ MESSAGE_LANGUAGE: 'cs' }, { messageLanguage: 'cs' }],
  [{ OPENID_EXTERNAL_ID: 'sub' }, { openidExternalId: 'sub' }],
  [{ OPENID_EXTERNAL_ID: 'off' }, { openidExternalId: 'off' }],
  [{ SAML_EXTERNAL_ID: 'off' }, { samlExternalId: 'off' }],
  [{ SAML_EXTERNAL_ID: 'subject_id' }, { samlExternalId: 'subject_id' }],
  [{ REQUIRED_FIELDS: 'email' }, { requiredFields: ['email'] }],
  [{ REQUIRED_FIELDS: 'last_name , email' }, { requiredFields: ['email', 'last_name'] }],
  [{ REQUIRED_FIELDS: 'none', OPENID_EXTERNAL_ID: 'sub' }, { requiredFields: [] }],
  [{ HANDLER_TIMEOUT_MS: '1500' }, { handlerTimeoutMs: 1500 }],
  [{ MAX_BODY_BYTES: '1' }, { maxBodyBytes: 1 }],
  [{ SECRET_TTL_SECONDS: '60' }, { secretTtlSeconds: 60 }],
  [{ SECRET_IDS: ' a, b/c,,c ,' }, { secretIds: ['a', 'b/c', 'c'] }],
  [{ SECRETS_FILE: 'secrets.json' }, { secretsFile: 'secrets.json' }],
  [{ SIGNING_SECRET_ID: 'signing' }, { callerCheck: 'iam', signingSecretId: 'signing' }],
  [{ SIGNING_SECRET_ID: 'signing', CALLER_CHECK: 'signature' }, { callerCheck: 'signature' }],
  [{ OPENID_ISSUERS }, { openidTokenCheck: 'off', openidIssuers }],
  [{ OPENID_ISSUERS, OPENID_TOKEN_CHECK: 'on' }, { openidTokenCheck: 'on' }],
  [{ SAML_ISSUERS }, { samlAssertionCheck: 'off', samlIssuers }],
  [{ SAML_ISSUERS, SAML_ASSERTION_CHECK: 'on' }, { samlAssertionCheck: 'on' }],
  [{ CLOCK_SKEW_SECONDS: '0' }, { clockSkewSeconds: 0 }],
])('reads %p', (env, settings) => {
  const configuration = readConfiguration(env);
  expect(configuration.problems).toEqual([]);
  expect(configuration.settings).toMatchObject(settings);
});

test.each<[string, string[]]>([
  ['RESPONSE_NAMES', ['', 'CamelCase']],
  ['REQUIRED_FIELDS', ['None', 'none,email', 'email,', 'email last_name', 'email,surname']],
  ['HANDLER_TIMEOUT_MS', ['', '0', '-1', '1.5', '1e3', ' 5']],
  ['SECRET_IDS', ['']],
  ['CALLER_CHECK', ['', 'none', 'IAM']],
  ['SIGNING_SECRET_ID', ['']],
  ['OPENID_TOKEN_CHECK', ['', 'true']],
  ['CLOCK_SKEW_SECONDS', ['-1', '601', '1.5']],
])('%s is unusable with %j, and the problem names it without its value', (name, values) => {
  const refused = [expect.stringMatching(`^${name}: expected `)];
  for (const value of values)
    expect([value, readConfiguration({ [name]: value }).problems]).toEqual([value, refused]);
});

test.each([
  [{ AWS_LAMBDA_RUNTIME_API: 'x', AWS_LAMBDA_LOG_FORMAT: 'JSON' }, { isJson: true }],
  [{ AWS_LAMBDA_RUNTIME_API: 'x', AWS_LAMBDA_LOG_FORMAT: 'Text' }, { isJson: false }],
  [{ AWS_LAMBDA_LOG_LEVEL: 'debug' }, { level: 'DEBUG' }],
  [{ AWS_LAMBDA_LOG_LEVEL: 'WARN', RESPONSE_NAMES: 'unusable' }, { level: 'WARN' }],
])('logs as Lambda says, whatever else is unusable: %p', (env, logging) => {
  expect(readConfiguration(env).logging).toMatchObject(logging);
});

const ON_LAMBDA = { AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' };

test.each<[Environment, string]>([
  [
    { CALLER_CHECK: 'signature' },
    'SIGNING_SECRET_ID: expected the name or ARN of a secret, because CALLER_CHECK is signature',
  ],
  [
    { OPENID_TOKEN_CHECK: 'on' },
    'OPENID_ISSUERS: expected {"<issuer>": {"audiences": ["<client id>"]}}, because OPENID_TOKEN_CHECK is on',
  ],
  [
    { SAML_ASSERTION_CHECK: 'on' },
    'SAML_ISSUERS: expected {"<entity id>": {"audiences": ["<entity id of the service>"], "recipients": ["<its ACS URL>"]}}, because SAML_ASSERTION_CHECK is on',
  ],
  [
    { SECRETS_FILE: 'secrets.json', ...ON_LAMBDA },
    'SECRETS_FILE: expected to be unset on Lambda, where secrets come only from AWS Secrets Manager',
  ],
  [{ OPENID_HANDLER_MODULE: '' }, 'OPENID_HANDLER_MODULE: expected the name of a module, found nothing'],
  [{ SECRETS_FILE: '' }, 'SECRETS_FILE: expected the path of a file, found nothing'],
  [{ CODE_VERSION: '' }, 'CODE_VERSION: expected the digest that the plugin sets, found nothing'],
  [
    { REQUIRED_FIELDS: '' },
    'REQUIRED_FIELDS: expected email, first_name, last_name, or some of them with commas between them, or none',
  ],
])('%j is unusable, in a sentence', (env, problem) => {
  expect(readConfiguration(env).problems).toEqual([problem]);
});

test.each<[SettingsOf, string, Environment, string]>([
  ['OpenID', 'none', {}, 'OPENID_EXTERNAL_ID: expected sub,'],
  [
    'SAML',
    'first_name,last_name',
    { OPENID_EXTERNAL_ID: 'sub' },
    'SAML_EXTERNAL_ID: expected persistent_name_id, subject_id, pairwise_id or edu_person_unique_id,',
  ],
])('a function of %s with REQUIRED_FIELDS=%s and %j: %p', (of, REQUIRED_FIELDS, env, problem) => {
  const because = ' because REQUIRED_FIELDS does not have email';
  expect(read(of, { REQUIRED_FIELDS, ...env }).problems).toEqual([`${problem}${because}`]);
});

test.each([
  ['', 'nothing'],
  ['{}', 'no issuer'],
  [`{"${ISSUER}":{}}`, 'no audiences'],
  [`{"${ISSUER}":{"audiences":[]}}`, 'an empty list of audiences'],
  [`{"${ISSUER}":{"audiences":["a"],"jwksUri":"https://x.example"}}`, 'a key that there is not'],
  [`{"${ISSUER}":{"audiences":["a"],"jwks_uri":"http://x.example"}}`, 'keys over plain HTTP'],
  ['{"http://localhost.example.org":{"audiences":["a"]}}', 'a host that begins as this machine does'],
  ['{"http://localhost@example.org":{"audiences":["a"]}}', 'a host after what looks like one'],
  ['{"https://idp.example.org?x":{"audiences":["a"]}}', 'an issuer with a query'],
])('OPENID_ISSUERS=%s is unusable: %s', (OPENID_ISSUERS) => {
  for (const OPENID_TOKEN_CHECK of ['on', 'off']) {
    const { problems } = readConfiguration({ OPENID_TOKEN_CHECK, OPENID_ISSUERS });
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(/^OPENID_ISSUERS.*: expected /);
  }
});

describe.each(['http://localhost:8080/realms/campus', 'http://127.0.0.1', 'http://[::1]:9000'])(
  'a provider on this machine, %s',
  (url) => {
    const asIssuer = JSON.stringify({ [url]: { audiences: ['a'] } });
    const asKeys = JSON.stringify({ [ISSUER]: { audiences: ['a'], jwks_uri: `${url}/jwks` } });

    test.each([asIssuer, asKeys])('may be over plain HTTP, but not on Lambda: %s', (OPENID_ISSUERS) => {
      expect(readConfiguration({ OPENID_ISSUERS }).problems).toEqual([]);
      const { problems } = readConfiguration({ OPENID_ISSUERS, ...ON_LAMBDA });
      const refusal =
        /^OPENID_ISSUERS.*: expected .*https URL.*; Lambda refuses http on localhost, which is for a provider on your own machine$/;
      expect(problems).toEqual([expect.stringMatching(refusal)]);
    });
  },
);

test('an issuer over plain HTTP is told where it may be so', () => {
  const { problems } = readConfiguration({ OPENID_ISSUERS: '{"http://idp.example":{"audiences":["a"]}}' });
  expect(problems).toEqual([expect.stringMatching(/^OPENID_ISSUERS.*, or http on localhost$/)]);
});

test('issuers that are no JSON are told where they stop being it', () => {
  const { problems } = readConfiguration({ SAML_ISSUERS: '{"urn:idp":{"audiences":["a",]}}' });
  expect(problems).toEqual([
    'SAML_ISSUERS: expected a JSON object of issuers (1:30: expected JSON: unexpected text)',
  ]);
});

test.each(['{}', '{"urn:idp":{"audiences":["a"]}}', '{"urn:idp":{"recipients":["a"]}}'])(
  'SAML_ISSUERS=%s is unusable',
  (SAML_ISSUERS) => {
    const { problems } = readConfiguration({ SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS });
    expect(problems).toContainEqual(expect.stringMatching(/^SAML_ISSUERS.*: expected /));
  },
);

test('each default is a value that the setting takes', () => {
  const defaults = Object.entries(readConfiguration({}).settings);
  const variableOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  expect(defaults.map(([name]) => variableOf(name))).toEqual(SETTING_NAMES);
  for (const [name, value] of defaults) {
    const isWords = ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.length > 0);
    const env = isWords ? { [variableOf(name)]: String(value) } : {};
    expect(readConfiguration(env).problems).toEqual([]);
  }
});

test('where anything is unusable, no other setting is in force', () => {
  const others = { SECRETS_FILE: 'secrets.json', SECRET_IDS: 'a', MAX_BODY_BYTES: '1' };
  const { settings, problems } = readConfiguration({ ...others, RESPONSE_NAMES: 'unusable' });
  expect(problems).toHaveLength(1);
  expect(settings).toEqual(readConfiguration({}).settings);
});

test.each([
  ['https:a/ https://i.example', undefined],
  [ISSUER, 'https://i.example/k#x'],
  [ISSUER, 'https:a/ https://i.example/k'],
])('the issuer %s with keys at %s is unusable', (issuer, jwks_uri) => {
  const OPENID_ISSUERS = JSON.stringify({ [issuer]: { audiences: ['a'], jwks_uri } });
  expect(readConfiguration({ OPENID_ISSUERS }).problems).not.toEqual([]);
});

test('what is no URL is no address of this machine', () => {
  expect(isLoopbackHttp('localhost')).toBe(false);
});

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';
const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test.each([
  ...['own/whsec_name', 'loginhooks/production/signing/secret'],
  ...[`signing-${KEY}`, `${KEY}-signing`, `${ARN}login-hooks/signing-AbCdEf`],
])('%j names a secret', (text) => {
  expect(isSecretId(text)).toBe(true);
});

test.each([
  ...['a*', ' a', `${ARN}a*`, `x${ARN}a`, 'eyJhbGciOiJIUzI1NiJ9.e30.x', KEY, 'd2f1a9c4'.repeat(6)],
  ...['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', 'x-'.repeat(257)],
])('%j names no secret', (text) => {
  expect(isSecretId(text)).toBe(false);
});

test.each([
  ['SIGNING_SECRET_ID', `whsec_${KEY}`],
  ['SECRET_IDS', `login-hooks/a, whsec_${KEY}`],
])('%s=%s is unusable, and is shown nowhere', (name, value) => {
  const { problems, settings } = readConfiguration({ [name]: value });
  expect(problems).toEqual([expect.stringMatching(`^${name}: expected .* not the secret itself`)]);
  expect(JSON.stringify([problems, settings])).not.toContain(KEY);
});
