/** What could do harm: each is answered in good time, with a result or a sentence. */
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readCapture } from '../../tools/capture/readCapture.ts';
import type { SamlProvider } from '../support/samlProvider.ts';
import { ACS } from '../support/samlService.ts';
import { compact } from '../support/signingKeys.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { base64, entry, har, metadataOf, posted, provider, response } from './caught.ts';

/** For 10 MB; of the processor, because the machine does other things too. */
const MAX_MS = 10_000;
const MIB = 1_048_576;
const LARGE = 10 * MIB;

let ours: SamlProvider;
let xml: string;
beforeAll(async () => {
  ours = await provider();
  xml = await response(ours);
});

/** What was read, or the sentence of the refusal. */
async function readInTime(text: string, metadata = metadataOf(ours.cert)): Promise<string> {
  const begun = process.cpuUsage();
  const result = await readCapture(text, { metadata, environment: () => ({}) }).then(
    (captures) => captures.map(({ findings }) => findings.map(({ code }) => code).join(' ')).join('\n'),
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(MAX_MS);
  return result;
}

function repeated(text: string, length = LARGE): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A response whose assertion has this among its attributes. */
function withAttributes(inside: string): string {
  return xml.replace('</saml:AttributeStatement>', `${inside}</saml:AttributeStatement>`);
}

const ATTRIBUTE = '<saml:Attribute Name="a"><saml:AttributeValue>b</saml:AttributeValue></saml:Attribute>';
const NUMBERED = Array.from({ length: 100_000 }, (_, index) => `a${index}="b"`).join(' ');
const LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`;
const OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';

describe('XML', () => {
  test.each<[string, () => string, string]>([
    ['with a DOCTYPE', () => `${LAUGHS}${xml}`, 'it has a DOCTYPE'],
    ['with an entity from outside', () => `${OUTSIDE}${xml.replace('Ada', '&a;')}`, 'it has a DOCTYPE'],
    ['with an entity that nobody declared', () => xml.replace('Ada', '&a;'), 'found a mistake in line'],
    [
      'nested 100,000 deep',
      () => withAttributes('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
      'at most 40 levels',
    ],
    ['with 100,000 attributes of an element', () => withAttributes(`<a ${NUMBERED}/>`), 'characters of XML'],
    [
      'with 100,000 Attributes',
      () => withAttributes(ATTRIBUTE.repeat(100_000)),
      'characters of XML, expected at most',
    ],
    ['with 3,900 elements', () => withAttributes(ATTRIBUTE.repeat(1_950)), 'saml_signature_wrong'],
    ['with 4,100 elements', () => withAttributes(ATTRIBUTE.repeat(2_050)), 'at most 4000 elements'],
    [
      'of a text of 900,000',
      () => withAttributes(ATTRIBUTE.replace('b<', `${repeated('b', 900_000)}<`)),
      'saml_signature_wrong',
    ],
    ['of 10 MB', () => `<a>${repeated('b')}`.slice(0, LARGE), 'expected at most'],
    ...['<', '<a', '<a ', '<!--', '<![CDATA[', '<?a ', '<a b="', "<a b='", '</', '<a/>'].map(
      (part): [string, () => string, string] => [
        `of ${part} again and again`,
        () => withAttributes(repeated(part, 900_000)),
        'UnusableInput',
      ],
    ),
    ...['&', '&#', ']]>'].map((part): [string, () => string, string] => [
      `of the text ${part} again and again`,
      () => withAttributes(repeated(part, 900_000)),
      'saml_signature_wrong',
    ]),
    [
      'with 3,900 comments',
      () => withAttributes(`<a>${'<!---->'.repeat(3_900)}</a>`),
      'saml_signature_wrong',
    ],
    [
      'with 30 signatures of 100 references',
      () => {
        const reference = '<Reference URI="#a"/>'.repeat(100);
        const one = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>${reference}</SignedInfo></Signature>`;
        return xml.replace('<saml:Subject>', `${one.repeat(30)}<saml:Subject>`);
      },
      'saml_signature_wrapped',
    ],
    ['with 35 namespaces at each of 35 levels', () => withAttributes(namespaces(35)), 'saml_signature_wrong'],
  ])('%s', async (_, make, expected) => {
    expect(await readInTime(make())).toContain(expected);
  });

  test('metadata is read as carefully', async () => {
    expect(await readInTime(xml, `<a>${'<b>'.repeat(100_000)}`)).toContain('the metadata: ');
    expect(await readInTime(xml, repeated('<![CDATA[', 900_000))).toContain('the metadata: ');
    expect(await readInTime(xml, repeated('<![CDATA['))).toContain('take the metadata of one provider');
  });
});

function namespaces(count: number): string {
  const declared = Array.from({ length: count }, (_, index) => `xmlns:n${index}="urn:n${index}"`).join(' ');
  return `${`<n0:a ${declared}>`.repeat(count)}${'</n0:a>'.repeat(count)}`;
}

describe('JSON', () => {
  test('of many small items', async () => {
    expect(await readInTime(`[${'{"message":"login{"},'.repeat(400_000)}0]`)).toContain(
      'a list of 400001 items',
    );
  });

  test.each<[string, () => string, string]>([
    ['nested 100,000 deep', () => '['.repeat(100_000) + ']'.repeat(100_000), 'nested too deeply'],
    ['of 10 MB of brackets in a text', () => JSON.stringify(repeated('[', LARGE - 2)), 'nested too deeply'],
    ['of 10 MB', () => `{"a":"${repeated('b', LARGE - 10)}"}`, 'this is JSON with a'],
    [
      'with 100,000 fields',
      () =>
        JSON.stringify(
          Object.fromEntries(
            repeated('a', 100_000)
              .split('')
              .map((a, i) => [a + i, i]),
          ),
        ),
      'this is JSON with',
    ],
    ['of quotes', () => repeated('"\\'), 'looks like JSON'],
    [
      'with __proto__',
      () => '{"__proto__":{"idToken":{}},"log":{"__proto__":{"entries":[]}}}',
      'this is JSON with',
    ],
  ])('%s', async (_, make, expected) => {
    expect(await readInTime(make())).toContain(expected);
  });
});

describe('a HAR file', () => {
  test('of a thousand entries', async () => {
    const others = Array.from({ length: 999 }, (_, index) =>
      entry({ url: `https://app.example.net/${index}` }, { text: repeated('<p>SAMLResponse</p>', 9_000) }),
    );
    expect(await readInTime(har(...others, posted(xml)))).toContain('signed');
  });

  test('of a thousand logins', async () => {
    const logins = Array.from({ length: 1_000 }, (_, index) => posted(xml.replace('ada-1', `ada-${index}`)));
    expect(await readInTime(har(...logins))).toContain('logins_left_out');
  });

  test('whose parts are of other kinds', async () => {
    const parts = [
      null,
      1,
      'a',
      [],
      { request: [] },
      { request: { url: 1, postData: { params: [null, 1] } } },
    ];
    expect(await readInTime(JSON.stringify({ log: { entries: parts } }))).toContain('6 entries');
    expect(
      await readInTime(JSON.stringify({ requests: [...parts, { post: [[], [1], 2], get: {} }] })),
    ).toContain('7 requests');
  });

  test('of many small entries', async () => {
    const small = JSON.stringify({ response: { content: { text: '{id_token' } } });
    const entries = `${small},`.repeat(200_000);
    expect(await readInTime(`{"log":{"entries":[${entries}{}]}}`)).toContain('200001 entries');
  });
});

describe('a deflate bomb', () => {
  test.each<[string, () => string]>([
    ['of 10 MB', () => deflateRawSync(Buffer.alloc(LARGE, '<a>')).toString('base64')],
  ])('%s', async (_, make) => {
    expect(await readInTime(`${ACS}?SAMLResponse=${encodeURIComponent(make())}`)).toContain(
      'inflates to more than',
    );
  });
});

describe('a text', () => {
  test.each<[string, () => string]>([
    ['of spaces', () => `a${repeated(' ')}`.slice(0, LARGE)],
    ['of base64', () => repeated('QUJD')],
    ['of percent signs', () => repeated('%')],
    ['of records that are cut', () => repeated('{"login"\n')],
    ['of names without a value', () => repeated('SAMLResponse ')],
    ['of names with spaces', () => `SAMLResponse${repeated(' ', LARGE - 20)}`],
    ['of assignments', () => repeated('&id_token=')],
    ['of fields that end', () => `<html>${repeated('<input name="SAMLResponse">', LARGE - 10)}`],
    ['of fields that do not end', () => `<html>SAMLResponse${repeated('<input name=', LARGE - 30)}`],
    ['of dots', () => `ey${repeated('a.', LARGE - 2)}`],
    ['of a token without end', () => `ey${repeated('a-', LARGE - 2)}`],
    ['of characters beyond the first plane', () => repeated('\u{1f600}')],
    ['of lone surrogates', () => repeated('\ud800')],
    ['that is too long', () => repeated('a', LARGE + 1)],
  ])('%s is refused', async (_, make) => {
    expect(await readInTime(make())).toMatch(/^UnusableInput: /);
  });

  test('with a token whose claims are many', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`group${index}`, 'a']));
    const token = compact(
      { alg: 'RS256' },
      { iss: 'https://a.example', sub: 'a', aud: 'a', iat: 1, exp: 2, ...many },
    );
    expect(await readInTime(token)).toContain('token_expired');
  });
});

test('an event with 20,000 attributes', async () => {
  const attributes = Array.from({ length: 20_000 }, (_, index) => attribute(`group${index}`, 'a,b'));
  expect(await readInTime(JSON.stringify(samlEvent(attributes)))).toContain('groups_ambiguous');
});

test('what is in a response is shown as a text of one line', async () => {
  const hostile = 'https://other.example/\u202e<script>alert(1)</script>';
  const named = xml.replaceAll('https://idp.example.org/saml', hostile.replaceAll('<', '&lt;'));
  const [captured] = await readCapture(named, { metadata: metadataOf(ours.cert), environment: () => ({}) });
  const { message } = captured?.findings.find(({ code }) => code === 'metadata_of_other_issuer') ?? {};
  expect(message).toContain('https://other.example/<script>');
  expect(message).not.toMatch(/[\u202e\n]/);
});

test('base64 of XML that is read is no longer than it was', async () => {
  expect(await readInTime(base64(xml))).toContain('signed');
});
