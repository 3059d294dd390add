/** What a deployment changes of the one before, from the two templates: which protection is gone after it. */
import { describe, expect, test } from '@jest/globals';
import { type Change, changesOf } from '../../tools/deploy/changes.ts';
import { loginFunction, type Resources } from '../support/waysIn.ts';

type Variables = Record<string, unknown>;
const of = (resources: Resources) => ({ Resources: resources });
const saml = (Variables: Variables) => of(loginFunction({ Variables }));
const openId = (Variables: Variables) =>
  of(loginFunction({ Variables }, { Handler: 'dist/functions/openidLoggedIn.handler' }));

/** A change as one text: its function's id is left out, and `!` stands before one that weakens. */
const told = (changes: Change[]) => changes.map(({ text, isWeaker }) => (isWeaker ? `! ${text}` : text));

const OWN = { SAML_HANDLER_MODULE: 'handlers/own' };
const ISSUERS = { 'https://a.example': { audiences: ['one', 'two'], recipients: ['https://acs.example'] } };
const samlIssuers = (issuers: unknown, check = 'on') => ({
  SAML_ASSERTION_CHECK: check,
  SAML_ISSUERS: JSON.stringify(issuers),
});
const openIdIssuers = (issuers: unknown) => ({
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: JSON.stringify(issuers),
});
const withAudiences = (...audiences: string[]) => ({
  'https://a.example': { ...ISSUERS['https://a.example'], audiences },
});

describe('SAML settings', () => {
  test.each<[string, Variables, Variables, string[]]>([
    ['nothing', OWN, OWN, []],
    ['another handler', OWN, { SAML_HANDLER_MODULE: 'handlers/x' }, ['handler handlers/own → handlers/x']],
    ['a first handler', {}, OWN, ['handler default → handlers/own']],
    ['no handler of its own', OWN, {}, ['! handler handlers/own → default']],
    ['what the other kind reads', { OPENID_HANDLER_MODULE: 'handlers/own' }, {}, []],
    [
      'the check on',
      {},
      samlIssuers(ISSUERS),
      ['assertion check off → on', 'issuer https://a.example is new'],
    ],
    ['the check off', samlIssuers(ISSUERS), samlIssuers(ISSUERS, 'off'), ['! assertion check on → off']],
    [
      'no check and no issuers',
      samlIssuers(ISSUERS),
      {},
      ['! assertion check on → off', 'issuer https://a.example is removed'],
    ],
    [
      'one issuer more',
      samlIssuers(ISSUERS),
      samlIssuers({ ...ISSUERS, b: { audiences: ['x'], recipients: ['y'] } }),
      ['! issuer b is new'],
    ],
    [
      'another issuer',
      samlIssuers(ISSUERS),
      samlIssuers({ b: { audiences: ['x'], recipients: ['y'] } }),
      ['issuer https://a.example is removed', '! issuer b is new'],
    ],
    ['an issuer less', samlIssuers({ ...ISSUERS, b: {} }), samlIssuers(ISSUERS), ['issuer b is removed']],
    [
      'one audience more',
      samlIssuers(ISSUERS),
      samlIssuers(withAudiences('one', 'two', 'three')),
      ['! issuer https://a.example: audiences one, two → one, two, three'],
    ],
    [
      'an audience less',
      samlIssuers(ISSUERS),
      samlIssuers(withAudiences('one')),
      ['issuer https://a.example: audiences one, two → one'],
    ],
    [
      'an audience with a comma made two',
      samlIssuers(withAudiences('one,two')),
      samlIssuers(withAudiences('one', 'two')),
      ['! issuer https://a.example: audiences one,two → one, two'],
    ],
    ['the order of audiences', samlIssuers(ISSUERS), samlIssuers(withAudiences('two', 'one')), []],
    [
      'another recipient',
      samlIssuers(ISSUERS),
      samlIssuers({
        'https://a.example': { audiences: ['one', 'two'], recipients: ['https://other.example'] },
      }),
      ['! issuer https://a.example: recipients https://acs.example → https://other.example'],
    ],
    [
      'one issuer more while nothing is checked',
      samlIssuers(ISSUERS, 'off'),
      samlIssuers({ ...ISSUERS, b: {} }, 'off'),
      ['issuer b is new'],
    ],
    [
      'how issuers are written',
      samlIssuers(ISSUERS),
      { ...samlIssuers(ISSUERS), SAML_ISSUERS: JSON.stringify(ISSUERS, null, 2) },
      [],
    ],
    [
      'issuers that cannot be read',
      { ...samlIssuers(ISSUERS), SAML_ISSUERS: { Ref: 'Issuers' } },
      samlIssuers(ISSUERS),
      ['! issuers changed and cannot be compared'],
    ],
    [
      'issuers that are no object',
      samlIssuers([]),
      samlIssuers(ISSUERS),
      ['! issuers changed and cannot be compared'],
    ],
    ['secrets', { SECRET_IDS: 'a' }, { SECRET_IDS: 'a,b' }, ['secrets a → a,b']],
    [
      'who checks callers',
      {},
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 's' },
      ['callers iam → signature', 'signing secret none → s'],
    ],
    [
      'another signing secret',
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 's' },
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 't' },
      ['! signing secret s → t'],
    ],
    [
      'another signing secret, which nothing reads',
      { SIGNING_SECRET_ID: 's' },
      { SIGNING_SECRET_ID: 't' },
      ['signing secret s → t'],
    ],
    [
      'a name in the place of the secret itself, which is not shown',
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'whsec_c2VjcmV0', SECRET_IDS: 'a,whsec_c2VjcmV0' },
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 's', SECRET_IDS: 'a, b' },
      ['secrets (not the name of a secret) → a, b', '! signing secret (not the name of a secret) → s'],
    ],
    [
      'certificates that are not checked',
      {},
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      ['! NODE_TLS_REJECT_UNAUTHORIZED none → 0'],
    ],
    [
      'certificates that are checked again',
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      {},
      ['NODE_TLS_REJECT_UNAUTHORIZED 0 → none'],
    ],
    [
      'code of a layer',
      { NODE_OPTIONS: '--enable-source-maps' },
      { NODE_OPTIONS: '--import /opt/wrapper.mjs' },
      ['! NODE_OPTIONS --enable-source-maps → --import /opt/wrapper.mjs'],
    ],
    [
      'another authority',
      {},
      { NODE_EXTRA_CA_CERTS: '/opt/ca.pem' },
      ['! NODE_EXTRA_CA_CERTS none → /opt/ca.pem'],
    ],
    ['who checks callers, back', { CALLER_CHECK: 'signature' }, {}, ['callers signature → iam']],
    [
      'more clock skew while something is checked',
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: '30' },
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: '31' },
      ['! clock skew 30 → 31'],
    ],
    [
      'more clock skew than by default',
      samlIssuers(ISSUERS),
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: '600' },
      ['! clock skew 60 → 600'],
    ],
    [
      'clock skew that cannot be compared',
      samlIssuers(ISSUERS),
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: { Ref: 'Skew' } },
      ['! clock skew 60 → {"Ref":"Skew"}'],
    ],
    [
      'less clock skew',
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: '30' },
      { ...samlIssuers(ISSUERS), CLOCK_SKEW_SECONDS: '0' },
      ['clock skew 30 → 0'],
    ],
    ['more clock skew while nothing is checked', {}, { CLOCK_SKEW_SECONDS: '600' }, ['clock skew 60 → 600']],
    ['a number', { SECRET_IDS: 5 }, { SECRET_IDS: '5' }, []],
    ['another setting', { RESPONSE_NAMES: 'camelCase' }, {}, []],
  ])('%s', (_, before, after, expected) => {
    expect(told(changesOf(saml(before), saml(after)))).toEqual(expected);
  });

  test.each<[Variables, Variables, string[]]>([
    [{ CALLER_CHECK: 'signature' }, {}, ['! callers signature → iam']],
    [{}, { CALLER_CHECK: 'signature' }, ['callers iam → signature']],
    [{}, {}, []],
  ])('where ways in are guarded elsewhere, from %j to %j', (before, after, expected) => {
    expect(told(changesOf(saml(before), saml(after), { hasExemptions: true }))).toEqual(expected);
  });
});

test.each<[string, Variables, Variables, string[]]>([
  ['no handler of its own', { OPENID_HANDLER_MODULE: 'x' }, {}, ['! handler x → default']],
  [
    'the check off',
    openIdIssuers(ISSUERS),
    { ...openIdIssuers(ISSUERS), OPENID_TOKEN_CHECK: 'off' },
    ['! ID token check on → off'],
  ],
  [
    'one audience more',
    openIdIssuers({ a: { audiences: ['x'] } }),
    openIdIssuers({ a: { audiences: ['x', 'y'] } }),
    ['! issuer a: audiences x → x, y'],
  ],
  [
    'another place of the keys',
    openIdIssuers({ a: { audiences: ['x'] } }),
    openIdIssuers({ a: { audiences: ['x'], jwks_uri: 'https://a.example/keys' } }),
    ['! issuer a: jwks_uri none → https://a.example/keys'],
  ],
  [
    'no place of the keys',
    openIdIssuers({ a: { audiences: ['x'], jwks_uri: 'https://a.example/keys' } }),
    openIdIssuers({ a: { audiences: ['x'] } }),
    ['! issuer a: jwks_uri https://a.example/keys → none'],
  ],
  [
    'another place of the keys while nothing is checked',
    { ...openIdIssuers({ a: { audiences: ['x'] } }), OPENID_TOKEN_CHECK: 'off' },
    {
      ...openIdIssuers({ a: { audiences: ['x'], jwks_uri: 'https://a.example/keys' } }),
      OPENID_TOKEN_CHECK: 'off',
    },
    ['issuer a: jwks_uri none → https://a.example/keys'],
  ],
  ...(
    [
      [{}, { REQUIRED_FIELDS: 'email' }, '! required fields email,first_name,last_name → email'],
      [{ REQUIRED_FIELDS: 'email' }, { REQUIRED_FIELDS: 'none' }, '! required fields email → none'],
      [{ REQUIRED_FIELDS: 'email' }, { REQUIRED_FIELDS: 'last_name' }, '! required fields email → last_name'],
      [{ REQUIRED_FIELDS: 'email' }, {}, 'required fields email → email,first_name,last_name'],
      [
        { REQUIRED_FIELDS: 'none' },
        { REQUIRED_FIELDS: 'last_name, email' },
        'required fields none → last_name, email',
      ],
    ] as const
  ).map(([before, after, told]): [string, Variables, Variables, string[]] => [told, before, after, [told]]),
])('OpenID settings: %s', (_, before, after, expected) => {
  expect(told(changesOf(openId(before), openId(after)))).toEqual(expected);
});

describe('functions', () => {
  const named = (id: string, Variables: Variables): Resources =>
    Object.fromEntries(Object.values(loginFunction({ Variables })).map((resource) => [id, resource]));
  const other: Resources = {
    Other: { Type: 'AWS::Lambda::Function', Properties: { Handler: 'own/index.handler' } },
  };

  test.each<[string, object, object, string[]]>([
    ['a first deployment', {}, saml({}), []],
    ['a stack without login functions', of(other), saml({}), []],
    ['one more', of(named('A', OWN)), of({ ...named('A', OWN), ...named('B', {}) }), ['B: is new']],
    ['one less', of({ ...named('A', OWN), ...named('B', {}) }), of(named('A', OWN)), ['B: is removed']],
    [
      'one of another name in its place',
      of(named('A', OWN)),
      of(named('B', {})),
      ['B: is new', 'B: ! handler handlers/own → default', 'A: is removed'],
    ],
    [
      'two of other names, of which one was checked',
      of({ ...named('A', {}), ...named('B', samlIssuers(ISSUERS)) }),
      of({ ...named('C', {}), ...named('D', {}) }),
      [
        'C: is new',
        'C: ! assertion check on → off',
        'C: issuer https://a.example is removed',
        'D: is new',
        'D: ! assertion check on → off',
        'D: issuer https://a.example is removed',
        'A: is removed',
        'B: is removed',
      ],
    ],
    [
      'one on managed instances in its place',
      saml({}),
      of(
        loginFunction(
          {},
          {
            FunctionName: 'login-hooks-dev-samlLoggedIn-managed',
            CapacityProviderConfig: {
              LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn: 'arn' },
            },
          },
        ),
      ),
      [
        'SamlLoggedInLambdaFunction: runs on Lambda → instances of arn',
        'SamlLoggedInLambdaFunction: name login-hooks-dev-samlLoggedIn → login-hooks-dev-samlLoggedIn-managed, which direct callers must use',
      ],
    ],
    [
      'one of other code in its place',
      of(named('A', OWN)),
      { Resources: { A: openId({}).Resources.SamlLoggedInLambdaFunction } },
      ['A: code samlLoggedIn → openidLoggedIn'],
    ],
    [
      'a wrapped handler',
      of(
        loginFunction(
          { Variables: { ...OWN, WRAPPED: 'dist/functions/samlLoggedIn.handler' } },
          { Handler: '/opt/wrap.handler' },
        ),
      ),
      saml({}),
      ['SamlLoggedInLambdaFunction: ! handler handlers/own → default'],
    ],
  ])('%s', (_, deployed, next, expected) => {
    const changes = changesOf(deployed, next);
    expect(changes.map(({ id, text, isWeaker }) => `${id}: ${isWeaker ? '! ' : ''}${text}`)).toEqual(
      expected,
    );
  });
});
