/** Whatever is caught, it is read or refused with a sentence, in time that grows with its length. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Captured } from '../../tools/capture/captured.ts';
import { EVENTS } from '../../tools/local/events.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { inOrder } from '../../tools/shared/finding.ts';
import { ACS } from '../support/samlService.ts';
import { compact } from '../support/signingKeys.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import * as caught from './caught.ts';
import { base64, entry, har, posted, SAML_ISSUERS } from './caught.ts';

const LARGE = 10_485_760;
/** Far more than what takes the square of its length could read in the time of a test. */
const LONG = 2_000_000;

const ours = await caught.provider();
const xml = await caught.response(ours);
const METADATA = caught.metadataOf(ours.cert);

/** What was read, or the sentence of the refusal. */
function outcomeOf(text: string, metadata = METADATA): Promise<string> {
  return caught.readAll(text, {}, metadata).then(
    (captures) => captures.map(({ findings }) => findings.map(({ code }) => code).join(' ')).join('\n'),
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );
}

function repeated(text: string, length = LONG): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A response whose assertion has this among its attributes. */
function withAttributes(inside: string): string {
  return xml.replace('</saml:AttributeStatement>', `${inside}</saml:AttributeStatement>`);
}

const numbered = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));

const ATTRIBUTE = '<saml:Attribute Name="a"><saml:AttributeValue>b</saml:AttributeValue></saml:Attribute>';
const NUMBERED = numbered(41, (index) => `a${index}="b"`).join(' ');
const LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`;
const REFERENCES = '<Reference URI="#a"/>'.repeat(100);
const SIGNED_INFO = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>${REFERENCES}</SignedInfo></Signature>`;
const SIGNED_OFTEN = () => xml.replace('<saml:Subject>', `${SIGNED_INFO.repeat(30)}$&`);
const TOO_DEEP = 'at most 40 levels';
const TOO_LONG = 'characters of XML, expected at most';
const CHECKED = 'saml_signature_wrong';

test.each<[string, () => string, string]>([
  ['with a DOCTYPE', () => `${LAUGHS}${xml}`, 'it has a DOCTYPE'],
  ['with an entity that nobody declared', () => xml.replace('Ada', '&a;'), 'found a mistake in line'],
  ['nested deeply', () => withAttributes('<a>'.repeat(100_000) + '</a>'.repeat(100_000)), TOO_DEEP],
  ['nested behind a slash in quotes', () => withAttributes('<a b="/">'.repeat(100)), TOO_DEEP],
  ['with 41 attributes of an element', () => withAttributes(`<a ${NUMBERED}/>`), 'at most 40 XML attributes'],
  ['with 100,000 Attributes', () => withAttributes(ATTRIBUTE.repeat(100_000)), TOO_LONG],
  ['with 3,900 elements', () => withAttributes(ATTRIBUTE.repeat(1_950)), CHECKED],
  ['with 4,100 elements', () => withAttributes(ATTRIBUTE.repeat(2_050)), 'at most 4000 elements'],
  ['of a text of 900,000', () => withAttributes(ATTRIBUTE.replace('b<', `${'b'.repeat(900_000)}<`)), CHECKED],
  ['with 3,900 comments', () => withAttributes(`<a>${'<!---->'.repeat(3_900)}</a>`), CHECKED],
  ['with 30 signatures of 100 references', SIGNED_OFTEN, 'saml_signature_wrapped'],
  ['with 35 namespaces at each of 35 levels', () => withAttributes(namespaces(35)), CHECKED],
])('XML %s', async (_, make, expected) => {
  expect(await outcomeOf(make())).toContain(expected);
});

test.each([
  ...['<', '<a', '<a ', '<!--', '<![CDATA[', '<?a ', '<a b="', "<a b='", '</', '<a/>'],
  ...['&', '&#', ']]>'],
])('XML of %s again and again', async (part) => {
  const expected = part.startsWith('<') ? 'UnusableInput' : CHECKED;
  expect(await outcomeOf(withAttributes(repeated(part, 900_000)))).toContain(expected);
});

test('metadata is read as carefully', async () => {
  expect(await outcomeOf(xml, `<a>${'<b>'.repeat(100_000)}`)).toContain('the metadata: ');
  expect(await outcomeOf(xml, repeated('<![CDATA[', LARGE))).toContain('take the metadata of one provider');
});

function namespaces(count: number): string {
  const declared = numbered(count, (index) => `xmlns:n${index}="urn:n${index}"`).join(' ');
  return `${`<n0:a ${declared}>`.repeat(count)}${'</n0:a>'.repeat(count)}`;
}

const OTHER_KINDS = [
  null,
  1,
  'a',
  [],
  { request: [] },
  { request: { url: 1, postData: { params: [null, 1] } } },
];
const FIELDS = () => Object.fromEntries(numbered(100_000, (index) => [`a${index}`, index]));
const OTHER_REQUESTS = [...OTHER_KINDS, { post: [[], [1], 2], get: {} }];
const PROTO = '{"__proto__":{"idToken":{}},"log":{"__proto__":{"entries":[]}}}';
const thousandPages = () => {
  const page = entry({}, { text: repeated('<p>SAMLResponse</p>', 9_000) });
  return har(...numbered(999, () => page), posted(xml));
};
const manyAttributes = () => samlEvent(numbered(20_000, (index) => attribute(`a${index}`, 'a,b')));

test.each<[string, () => string, string]>([
  ['of many small items', () => `[${'{"message":"login{"},'.repeat(400_000)}0]`, 'not an object'],
  ['nested 100,000 deep', () => '['.repeat(100_000) + ']'.repeat(100_000), 'nested too deeply'],
  ['of a million brackets in a text', () => JSON.stringify('['.repeat(1_000_000)), 'without a login'],
  ['with 100,000 fields', () => JSON.stringify(FIELDS()), 'this is JSON with'],
  ['with __proto__', () => PROTO, 'this is JSON with'],
  ['of a HAR file of other kinds', () => JSON.stringify({ log: { entries: OTHER_KINDS } }), '6 requests'],
  ['of an export of other kinds', () => JSON.stringify({ requests: OTHER_REQUESTS }), '7 requests'],
  ['of a thousand pages', thousandPages, 'signed'],
  ['of an event with 20,000 attributes', () => JSON.stringify(manyAttributes()), 'issuers_not_configured'],
])('JSON %s', async (_, make, expected) => {
  expect(await outcomeOf(make())).toContain(expected);
});

test('a deflate bomb of 10 MB', async () => {
  const bomb = deflateRawSync(Buffer.alloc(LARGE, '<a>')).toString('base64');
  const outcome = await outcomeOf(`${ACS}?SAMLResponse=${encodeURIComponent(bomb)}`);
  expect(outcome).toContain('without a login');
});

test.each<[string, () => string]>([
  ['of spaces', () => `a${repeated(' ')}`],
  ['of base64', () => repeated('QUJD')],
  ['of parameters without a name', () => `error=x&${repeated('a?')}`],
  ['of objects in a row', () => repeated('{}')],
  ['of names with spaces', () => `SAMLResponse${repeated(' ')}`],
  ['of assignments', () => repeated('&id_token=')],
  ['of fields that end', () => `<html>${repeated('<input name="SAMLResponse">')}`],
  ['of fields that do not end', () => `<html>SAMLResponse${repeated('<input name=')}`],
  ['of a token without end', () => `ey${repeated('a-')}`],
  ['that is too long', () => repeated('a', LARGE + 1)],
])('a text %s is refused', async (_, make) => {
  expect(await outcomeOf(make())).toMatch(/^UnusableInput: /);
});

test('what is in a response is shown as a text of one line', async () => {
  const hostile = 'https://other.example/\u202e<script>alert(1)</script>';
  const named = xml.replaceAll('https://idp.example.org/saml', hostile.replaceAll('<', '&lt;'));
  const { findings } = await caught.readOne(base64(named), {}, METADATA);
  const { message } = findings.find(({ code }) => code === 'metadata_of_other_issuer') ?? {};
  expect(message).toMatch(
    /^The metadata is from https:\/\/idp\.example\.org\/saml, .* https:\/\/other\.example\/<script>/,
  );
  expect(message).not.toMatch(/[\u202e\n]/);
});

const CLAIMS = { iss: 'https://idp.example.org', sub: 'ada', aud: ['client'], iat: 1, exp: 2, groups: ['a'] };
const TOKEN = compact({ alg: 'RS256', typ: 'JWT' }, CLAIMS, 'c2ln');

const captures = [
  ...[xml, base64(xml), TOKEN, JSON.stringify({ event: 'login', reason: 'profile_incomplete' })],
  ...[JSON.stringify(CLAIMS), `{"alg":"RS256"}\n${JSON.stringify(CLAIMS)}`],
  har(posted(xml), entry({ url: `https://a/#id_token=${TOKEN}` })),
  JSON.stringify({ requests: [{ url: 'https://a/', post: [['SAMLResponse', base64(xml)]], saml: xml }] }),
  JSON.stringify({ access_token: 'a', id_token: TOKEN, token_type: 'Bearer', expires_in: 1 }),
  ...['openidLoggedIn/http-alb', 'samlLoggedIn/keycloak-staff'].map((name) =>
    readFileSync(join(EVENTS, `${name}.json`), 'utf8'),
  ),
];

const SIGNS = [...'<>"{[0.&', '', 'null', '<a/>', '\u0000', '\ud800', '-1', '[[]]', '{}'];
/** Cuts a part out, puts it in twice, or puts something else in its place; positions as parts of the whole. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 60 }),
  what: fc.oneof(fc.constantFrom(...SIGNS), fc.constant(null), fc.string({ maxLength: 10 })),
});

test('a capture that was changed anywhere', async () => {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(fc.nat(), mutations, async (which, changes) => {
    let text = captures[which % captures.length] ?? '';
    for (const { at, length, what } of changes) {
      const begin = Math.floor(at * text.length);
      const part = text.slice(begin, begin + length);
      text = text.slice(0, begin) + (what ?? part + part) + text.slice(begin + length);
    }
    const result = await caught.readAll(text, { SAML_ISSUERS }, METADATA).catch((error: unknown) => error);
    if (result instanceof UnusableInput) return expect(result.message).not.toBe('');
    for (const { findings } of result as Captured[]) {
      expect(findings).toEqual(inOrder(findings));
      for (const { message } of findings) expect(message).toMatch(/^[A-Z].*\.$/s);
    }
  });
  await fc.assert(property, { numRuns: 300 });
});
