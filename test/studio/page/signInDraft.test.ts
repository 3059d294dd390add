import { describe, expect, test } from '@jest/globals';
import { MAX_BODY_BYTES } from '../../../tools/studio/page/paste/size.ts';
import {
  bodyOf,
  type Draft,
  draftOf,
  EMPTY,
  isComplete,
  offered,
  sizeProblem,
  startsAlike,
  storedText,
} from '../../../tools/studio/page/signIn/draft.ts';

const SECRET = 'a secret that is typed';
const OPENID: Draft = {
  ...EMPTY,
  provider: 'Keycloak',
  issuer: ' https://sso.example.edu/realms/campus ',
  clientId: ' service ',
  clientSecret: SECRET,
};
const SAML: Draft = { ...EMPTY, protocol: 'saml', metadataUrl: ' https://idp.example.edu/metadata ' };

describe('a reload keeps the form', () => {
  test('and the secret is not stored', () => {
    expect(storedText(OPENID)).not.toContain(SECRET);
    expect(draftOf(storedText(OPENID))).toEqual({ ...OPENID, clientSecret: '' });
  });

  test('with its metadata, where it fits', () => {
    const draft: Draft = { ...SAML, metadataFrom: 'text', metadata: '<EntityDescriptor/>' };
    expect(draftOf(storedText(draft))).toEqual(draft);
    const long = { ...draft, metadata: 'x'.repeat(500_001) };
    expect(draftOf(storedText(long))).toEqual({ ...draft, metadata: '' });
  });

  test.each([
    [null, EMPTY],
    ['', EMPTY],
    ['null', EMPTY],
    ['[]', EMPTY],
    ['{"protocol":"ldap","secretFrom":1,"issuer":{"a":1}}', EMPTY],
    ['{"clientId":"service","other":"x"}', { ...EMPTY, clientId: 'service' }],
  ])('%j is as good as it can be', (text, draft) => {
    expect(draftOf(text)).toEqual(draft);
  });
});

describe('a named secret', () => {
  const named: Draft = { ...OPENID, secretFrom: 'named', secretName: 'OPENID_CLIENT' };

  test.each([
    [['OPENID_CLIENT', 'OTHER'], 'named', 'OPENID_CLIENT'],
    [['OTHER'], 'named', ''],
    [[], 'typed', 'OPENID_CLIENT'],
  ])('of %j is offered as %s, %j', (secretNames, secretFrom, secretName) => {
    expect(offered(named, { protocols: ['openid', 'saml'], secretNames })).toMatchObject({
      secretFrom,
      secretName,
    });
  });
});

test.each<[Draft['protocol'][], Draft['protocol']]>([
  [['openid', 'saml'], 'saml'],
  [['saml'], 'saml'],
  [['openid'], 'openid'],
])('in a project of %j, a draft for SAML is offered for %s', (protocols, protocol) => {
  expect(offered(SAML, { protocols, secretNames: [] }).protocol).toBe(protocol);
});

test.each<[boolean, Draft]>([
  [false, EMPTY],
  [true, OPENID],
  [false, { ...OPENID, issuer: ' ' }],
  [false, { ...OPENID, clientId: '' }],
  [false, { ...OPENID, clientSecret: '' }],
  [false, { ...OPENID, secretFrom: 'named' }],
  [true, { ...OPENID, secretFrom: 'named', secretName: 'OPENID_CLIENT' }],
  [true, { ...OPENID, secretFrom: 'none', clientSecret: '' }],
  [true, SAML],
  [false, { ...SAML, metadataFrom: 'text' }],
  [true, { ...SAML, metadataFrom: 'text', metadata: '<EntityDescriptor/>' }],
  [false, { ...SAML, metadataUrl: ' ' }],
])('it can be started: %j', (expected, draft) => {
  expect(isComplete(draft)).toBe(expected);
});

describe('the server gets what is chosen, and nothing else', () => {
  const openid = {
    issuer: 'https://sso.example.edu/realms/campus',
    clientId: 'service',
    scopes: 'openid email profile',
  };
  const both = { ...OPENID, secretName: 'OPENID_CLIENT' };
  test.each<[string, Draft, object]>([
    ['a typed secret, as it is', { ...both, clientSecret: ' s ' }, { ...openid, clientSecret: ' s ' }],
    ['a named secret', { ...both, secretFrom: 'named' }, { ...openid, secretName: 'OPENID_CLIENT' }],
    ['no secret', { ...both, secretFrom: 'none' }, openid],
    [
      'the usual scopes',
      { ...both, secretFrom: 'none', scopes: ' ' },
      { issuer: openid.issuer, clientId: openid.clientId },
    ],
    [
      'metadata by address',
      { ...SAML, metadata: '<left/>' },
      { metadataUrl: 'https://idp.example.edu/metadata' },
    ],
    [
      'metadata of a federation',
      { ...SAML, metadataFrom: 'text', metadata: '<md/>', entityId: ' https://idp.example.edu ' },
      { metadata: '<md/>', entityId: 'https://idp.example.edu' },
    ],
  ])('%s', (_name, draft, body) => {
    expect(bodyOf(draft)).toEqual(body);
  });
});

test('a body says that somebody else is to sign in, where that is so', () => {
  expect(bodyOf(SAML)).not.toHaveProperty('somebodyElse');
  expect(bodyOf(SAML, true)).toEqual({ ...bodyOf(SAML), somebodyElse: true });
});

test('what came of the button holds until the form changes', () => {
  expect(startsAlike(OPENID, { ...OPENID, provider: 'Okta' })).toBe(true);
  expect(startsAlike(OPENID, { ...OPENID, clientSecret: 'another' })).toBe(false);
  expect(startsAlike(OPENID, SAML)).toBe(false);
});

test('metadata that is too long is not sent', () => {
  expect(sizeProblem({ metadata: 'x' })).toBeNull();
  expect(sizeProblem({ metadata: 'x'.repeat(MAX_BODY_BYTES) })).toContain('Give its address');
});
