/** What a text is recognised as, however it was caught; and what is said of any other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { EVENTS } from '../../tools/local/events.ts';
import { ACS } from '../support/samlService.ts';
import { compact } from '../support/signingKeys.ts';
import { overHttp } from '../support/wire.ts';
import { base64, codes, entry, har, posted, provider, readAll, readOne, response } from './caught.ts';

const xml = await response(await provider());
const { events } = await readOne(xml);

const CLAIMS = { iss: 'https://idp.example.org', sub: 'ada', aud: 'client', iat: 1, exp: 2 };
const TOKEN = compact({ alg: 'RS256' }, CLAIMS, 'c2lnbmF0dXJl');
const TOKENS = { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: TOKEN };

const coded = base64(xml);
const lines = coded.replaceAll(/.{64}/g, '$&\r\n');
const form = new URLSearchParams({ SAMLResponse: coded, RelayState: 'a' }).toString();
const deflated = deflateRawSync(Buffer.from(xml)).toString('base64');
const page = `<!doctype html><form><input name="SAMLResponse" value="${coded.replaceAll('=', '&#61;')}">`;
const traced = (value: string) => {
  const asked = { method: 'GET', url: 'https://idp.example.org/', get: [] };
  const sent = { method: 'POST', url: ACS, post: [['SAMLResponse', value]], saml: xml };
  return JSON.stringify({ requests: [asked, sent] });
};

test.each([
  ['as XML with a declaration and a byte order mark', `\uFEFF<?xml version="1.0"?>\n${xml}\n`],
  ['in base64', coded],
  ['in base64, URL-encoded', encodeURIComponent(coded)],
  ['as a field of JSON', JSON.stringify({ SAMLResponse: coded, RelayState: '' })],
  ['as the body of the form', form],
  ['as developer tools show the form', `SAMLResponse: ${coded}\nRelayState: a`],
  ['as a cURL command', `curl '${ACS}' \\\n  -H 'accept: */*' \\\n  --data-raw '${form}'`],
  ['as a fetch', `fetch("${ACS}", {\n  "body": "${form}",\n  "method": "POST"\n});`],
  ['in an address, deflated', `${ACS}?RelayState=a&SAMLResponse=${encodeURIComponent(deflated)}`],
  ['in a code block, in base64 of many lines', `Look:\n\`\`\`text\n${lines}\n\`\`\`\nThanks!`],
  ['among words', `The provider sent ${xml} and then nothing.`],
  ['in the form of a page', page],
  ['among words, in base64', `The provider sent "${coded}".\nAnd then nothing.`],
  ['in a HAR file', har(posted(xml))],
  ['in a SAML-tracer export', traced(coded)],
  ['in a SAML-tracer export whose values are masked', traced('{hash:1234}')],
])('a response of SAML is read %s', async (_, text) => {
  const captures = await readAll(text);
  expect(captures).toMatchObject([{ kind: 'SAMLResponse', functionName: 'samlLoggedIn' }]);
  expect(captures[0]?.events).toEqual(events);
});

const implicit = `https://app/#${new URLSearchParams({ ...TOKENS, expires_in: '60' })}`;
const JSON_TOKENS = JSON.stringify(TOKENS, null, 2);
const IN_BASE64 = { text: base64(JSON_TOKENS), encoding: 'base64' };
const REDIRECT = { ...entry({}), response: { redirectURL: implicit, headers: [] } };
const LOCATION = { name: 'location', value: implicit };
const OF_FIREFOX = { ...entry({}), response: { redirectURL: '', headers: [{ name: 'a' }, LOCATION] } };

test.each<[kind: string, where: string, text: string]>([
  ['ID token', 'alone', `\n${TOKEN}\n`],
  ['token response', 'as JSON', JSON_TOKENS],
  ['ID token', 'among words', `My token is ${TOKEN}. It does not work.`],
  ['token response', 'among words', `I get ${JSON_TOKENS} from the service.`],
  ['ID token', 'in a form post', `state=a&id_token=${TOKEN}`],
  ['token response', 'in an address', implicit],
  ['token response', 'in a redirect', har(REDIRECT)],
  ['token response', 'in a redirect of which only the header is known', har(OF_FIREFOX)],
  ['token response', 'in a HAR file', har(entry({}, { mimeType: 'application/json', text: JSON_TOKENS }))],
  ['token response', 'in a HAR file, in base64', har(entry({}, IN_BASE64))],
])('%s is read %s', async (kind, _, text) => {
  const [accessToken, expiresIn] = kind === 'ID token' ? ['', 1] : ['access', 60];
  const events = { plain: { idTokenJwt: TOKEN, accessToken, expiresIn } };
  expect(await readAll(text)).toMatchObject([{ kind, functionName: 'openidLoggedIn', events }]);
});

describe('the decoded payload of an ID token is read, and nothing of it is proven:', () => {
  const [header, payload] = ['{"alg":"RS256","kid":"a"}', JSON.stringify({ ...CLAIMS, address: { a: {} } })];
  test.each([
    ['alone', payload],
    ['below its header', `${header}\n${payload}`],
    ['after its header, with a full stop', `${header}.${payload}`],
    ['in a list with its header', `[${header},${payload}]`],
    ['beside its header', `{"header":${header},"payload":${payload},"signature":"x"}`],
    ['among words', `Keycloak shows ${payload} there.`],
  ])('%s', async (_, text) => {
    const idToken = { sub: 'ada', otherClaims: { address: { a: {} } } };
    const captured = await readOne(text);
    const events = { plain: { idToken, accessToken: '' } };
    expect(captured).toMatchObject({ kind: 'claims of an ID token', events });
    expect(codes(captured)).toContain('warning claims_unproven');
    expect(codes(captured).join()).not.toMatch(/signature_not_checked|algorithm/);
  });
});

test('all logins of a HAR file are read, each once and with its place', async () => {
  const asked = entry({ url: 'https://idp.example.org/?SAMLRequest=fVLJ' });
  const implicit = entry({ url: `https://app.example.net/#id_token=${TOKEN}` });
  const tokens = entry({}, { mimeType: 'application/json', text: JSON.stringify(TOKENS) });
  const silent = entry({ url: 'https://app.example.net/?error=login_required&state=x' });
  const captures = await readAll(har(asked, posted(xml), implicit, tokens, silent));
  expect(captures.map(({ kind, where }) => [kind, where])).toEqual([
    ['SAMLResponse', 'request 2'],
    ['token response', 'request 4'],
  ]);
});

test('a logout among logins is passed over, and alone it is named', async () => {
  const logout = '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>';
  expect(await readAll(har(posted(logout), posted(xml)))).toHaveLength(1);
  const named = 'this is a SAML message LogoutResponse: expected the Response';
  await expect(readAll(har(posted(logout)))).rejects.toThrow(named);
});

test('of many logins, the first ones are read, and the others counted', async () => {
  const entries = Array.from({ length: 30 }, (_, index) => posted(xml.replace('ada-1', `ada-${index}`)));
  const captures = await readAll(har(...entries));
  expect(captures).toHaveLength(20);
  expect(captures.at(-1)?.findings.at(-1)?.message).toContain('10 more logins');
});

test('an event that is cut says what is missing', async () => {
  const event = JSON.parse(readFileSync(join(EVENTS, 'samlLoggedIn/keycloak.json'), 'utf8'));
  delete event.assertion.assertionIssuer;
  const { findings } = await readOne(JSON.stringify(overHttp(event)));
  const message = expect.stringContaining('assertion.assertionIssuer: expected a string (missing)');
  expect(findings).toMatchObject([{ code: 'event_invalid', level: 'error', message }]);
});

const EXPECTED = 'expected a SAMLResponse (base64 or XML)';
const SAML2 = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"';
const MASKED = Object.entries({ '{obf:alternative_0}': '', SAMLResponse: '{obf:alternative_1}' });
const WITHOUT_RESPONSE = har(entry({ url: 'https://idp/?SAMLRequest=fV' }));

test.each<[string, string, string]>([
  ['nothing', ' \n', 'this is empty'],
  ['words', 'not a login at all', 'this is a text of 18 characters without a login'],
  ['JSON', '{"a":1,"b":2}', `this is JSON with a, b: ${EXPECTED}`],
  ['a JSON list', '[1,2]', 'this is JSON, but not an object'],
  ['cut JSON', '{"log":{"entries":[', 'it ends too early), or it is nested too deeply: copy all'],
  ['broken JSON of some length', `{"a":"${'a'.repeat(100)}",x}`, 'this is no JSON (1:109: '],
  ['a token response without ID token', '{"access_token":"a"}', 'have the service ask for the scope openid'],
  ['UserInfo', '{"sub":"ada","email":"a@b.c"}', 'these are claims without iss and exp'],
  ['an empty HAR file', har(), 'this recording has 0 requests, and none has a SAMLResponse'],
  ['the artifact binding', har(entry({ url: `${ACS}?SAMLart=AAQ` })), 'the provider sends an artifact'],
  ['WS-Federation', 'wa=wsignin1.0&wresult=x', 'WS-Federation'],
  ['a masked export', JSON.stringify({ requests: [{ url: ACS, post: MASKED }] }), 'cookie profile None'],
  ['a HAR file without the response', WITHOUT_RESPONSE, 'no response to it'],
  [
    'an address with a code',
    'https://a/callback?code=a&state=b',
    'not a login: the browser sees only a code',
  ],
  ['a request', `<samlp:AuthnRequest ${SAML2}/>`, 'this is a SAML message AuthnRequest: expected the'],
  ['SAML 1.1', '<Response xmlns="urn:oasis:names:tc:SAML:1.0:protocol"/>', 'not a message of SAML 2.0'],
  ['other XML', '<a/>', 'XML, but not a message of SAML 2.0'],
  ['cut XML', `<samlp:Response ${SAML2}><a`, 'an element does not end'],
  ['broken XML', '<a>\n<b></a>', 'found a mistake in line 2'],
  ['a page', '<!DOCTYPE html><html></html>', 'this is a page without a login'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nabc', 'keys are secret'],
])('%s is refused', async (_, text, message) => {
  await expect(readAll(text)).rejects.toThrow(message);
});

test('a refusal quotes nothing of the text', async () => {
  for (const text of ['{"canary":canary}', '"canary', '<a>canary</b>', '<canary', 'canary', '["canary"]'])
    await expect(readAll(text)).rejects.toThrow(/^(?!.*canary)/);
});
