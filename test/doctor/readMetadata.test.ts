/** Metadata as a stream: what is read of it, and which signatures count. Signed by another implementation, xml-crypto. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SignedXml } from 'xml-crypto';
import { pinnedKey } from '../../tools/doctor/metadataSignature.ts';
import { readMetadata } from '../../tools/doctor/readMetadata.ts';
import { runCommand } from '../support/commands.ts';
import { federationOf, metadataOf } from '../support/samlMetadata.ts';
import { selfSigned } from '../support/servers.ts';
import { type SigningKey, signXml } from '../support/signXml.ts';

const ENTITY = 'https://idp.example.org/saml';
const ROOT = '/*';

let key: SigningKey;
let other: string;
beforeAll(async () => {
  const [own, others] = [await selfSigned('federation.example'), await selfSigned('other.example')];
  key = { privateKey: own.key, publicCert: own.cert };
  other = others.cert;
});

/** In chunks that cut characters, tags and entities apart. */
async function* chunksOf(text: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (text: string | Buffer, size?: number) => readMetadata(chunksOf(text, size), new Set([ENTITY]));
const signed = (xml: string) => signXml(xml, ROOT, ROOT, key);

/** Why the signature does not count; null where it does, and `none` where there is none. */
async function problemOf(xml: string, pinned = key.publicCert ?? ''): Promise<string | null> {
  const { signature } = await read(xml, 1_000);
  const one = pinnedKey(pinned);
  return signature === null ? 'none' : signature.problem(one ? [one] : []);
}

const FEDERATION = () => federationOf([metadataOf({ entityId: ENTITY })], 'ID="_1" Name="f"');

describe('a signature counts over', () => {
  test.each<[string, string]>([
    ['a federation', federationOf([metadataOf()], 'ID="_1"')],
    ['one provider', metadataOf({ attributes: 'ID="_1"' })],
    ['text before the signature', federationOf(['\n  ', metadataOf()], 'ID="_1"')],
    ['comments, which do not count', federationOf(['<!-- a --><a>b<!-- c -->d</a>'], 'ID="_1"')],
    [
      'character data and entities',
      federationOf(['<a><![CDATA[<&>]]>&lt;&amp;&#65;&#xD; > " \' ä 😀</a>'], 'ID="_1"'),
    ],
    [
      'attributes in any order and quotes',
      federationOf([`<a z='"' b="&#10;&#9;&#13;&lt;'" a="  x\n y"/>`], 'ID="_1"'),
    ],
    [
      'attributes with namespaces',
      federationOf(['<a xmlns:y="urn:a" xmlns:x="urn:b" x:a="1" y:z="2" c="3" xml:lang="de"/>'], 'ID="_1"'),
    ],
    ['namespaces that nobody uses', federationOf(['<a xmlns:q="urn:q"><b/></a>'], 'ID="_1" xmlns:p="urn:p"')],
    [
      'a default namespace that changes',
      federationOf(['<a xmlns="urn:a"><b xmlns="urn:b"><c/></b><d/></a>'], 'ID="_1"'),
    ],
    ['empty elements', federationOf(['<a/><b></b>'], 'ID="_1"')],
  ])('%s', async (_, xml) => {
    expect(await problemOf(signed(xml))).toBeNull();
  });
});

/** What xml-crypto writes in another way or refuses (Exclusive XML Canonicalization 1.0 section 3, Canonical XML 1.0 section 2.3). */
test.each([
  ['a namespace that is taken back', '<x xmlns=""><y/></x>', '<x xmlns=""><y></y></x>'],
  ['an instruction', '<x><?do  it now?><?then?></x>', '<x><?do it now?><?then?></x>'],
  [
    'a prefix that changes and changes back',
    '<p:x xmlns:p="urn:a"><p:y xmlns:p="urn:b"><p:z xmlns:p="urn:a"/></p:y></p:x>',
    '<p:x xmlns:p="urn:a"><p:y xmlns:p="urn:b"><p:z xmlns:p="urn:a"></p:z></p:y></p:x>',
  ],
])('the canonical form of %s', async (_, inside, canonical) => {
  const start = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY}">`;
  const { entities } = await read(`${start}${inside}</EntityDescriptor>`);
  expect(entities.get(ENTITY)?.xml).toBe(`${start}${canonical}</EntityDescriptor>`);
});

describe('a signature does not count', () => {
  const wrong = 'does not cover what the metadata says';
  const form = 'is of a form or an algorithm that is not accepted here';
  test.each<[string, () => string, string]>([
    ['where a text changed', () => signed(FEDERATION()).replace('HTTP-POST', 'HTTP-GET'), wrong],
    [
      'where an attribute of the root changed',
      () => signed(FEDERATION()).replace('Name="f"', 'Name="g"'),
      wrong,
    ],
    [
      'where an entity was added',
      () => signed(FEDERATION()).replace('</md:EntitiesDescriptor>', `${metadataOf()}$&`),
      wrong,
    ],
    [
      'where its value changed',
      () => signed(FEDERATION()).replace(/<SignatureValue>..../, '<SignatureValue>AAAA'),
      'is of another key than the one that is given',
    ],
    ['where it is of another element', () => signed(FEDERATION()).replace('ID="_1"', 'ID="_2"'), form],
    [
      'with SHA-1',
      () => signedBy({ signatureAlgorithm: `${DS}rsa-sha1`, digestAlgorithm: `${DS}sha1` }),
      form,
    ],
    ['with a digest by SHA-1', () => signedBy({ digestAlgorithm: `${DS}sha1` }), form],
    [
      'with many prefixes, each of which is looked for in each element',
      () => signedBy({ prefixes: Array.from({ length: 50 }, (_, index) => `p${index}`) }),
      form,
    ],
    ['behind other elements', () => signXml(FEDERATION(), ROOT, `${ROOT}/*`, key), 'none'],
    ['where there is none', FEDERATION, 'none'],
  ])('%s', async (_, make, problem) => {
    expect(await problemOf(make())).toBe(problem);
  });

  test('by a key that it names itself, and nobody pinned', async () => {
    expect(await problemOf(signed(FEDERATION()), other)).toBe('is of another key than the one that is given');
  });
});

test('a signature counts over prefixes that it names, although no name has them', async () => {
  const xml = federationOf(
    ['<a b="xs:string"><c xmlns:xs="urn:c"/></a>'],
    'ID="_1" xmlns:xs="urn:xs" xmlns:z="urn:z"',
  );
  expect(await problemOf(signedBy({ prefixes: ['xs'] }, xml))).toBeNull();
});

const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

interface Algorithms {
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  prefixes?: string[];
}

function signedBy(
  { signatureAlgorithm = RSA_SHA256, digestAlgorithm = SHA256, prefixes = [] }: Algorithms,
  xml = FEDERATION(),
): string {
  const one = new SignedXml({ ...key, canonicalizationAlgorithm: EXCLUSIVE, signatureAlgorithm });
  const transforms = [`${DS}enveloped-signature`, EXCLUSIVE];
  one.addReference({ xpath: ROOT, transforms, digestAlgorithm, inclusiveNamespacesPrefixList: prefixes });
  one.computeSignature(xml, { location: { reference: ROOT, action: 'prepend' } });
  return one.getSignedXml();
}

test.each(['ec', 'ed25519'] as const)('a pinned key of %s', (type) => {
  const pair =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(pinnedKey(pem)?.asymmetricKeyType ?? null).toBe(type === 'ec' ? 'ec' : null);
});

describe('of metadata are read', () => {
  test('the entities that are wanted, with the ends of the groups around them', async () => {
    const group = federationOf([metadataOf({ entityId: ENTITY })], 'validUntil="2030-01-02T00:00:00Z"');
    const attributes = 'validUntil="2030-01-01T00:00:00Z" cacheDuration="PT6H"';
    const metadata = await read(federationOf([metadataOf({ entityId: 'https://other' }), group], attributes));
    expect(metadata).toMatchObject({
      isAggregate: true,
      validUntil: '2030-01-01T00:00:00Z',
      cacheDuration: 'PT6H',
      signature: null,
    });
    expect([...metadata.entities]).toEqual([
      [
        ENTITY,
        {
          xml: expect.stringMatching(/^<md:EntityDescriptor xmlns:md="[^"]+" entityID=/),
          validUntil: ['2030-01-02T00:00:00Z'],
        },
      ],
    ]);
  });
});

test.each<[string, () => string]>([
  ['a federation', FEDERATION],
  ['a provider', () => metadataOf({ entityId: ENTITY, attributes: 'ID="_1"' })],
])('what stands inside the signature of %s, which covers all but itself, is not read', async (_, make) => {
  const added = metadataOf({ entityId: ENTITY, ssoUrl: 'https://attacker.example' });
  const xml = signed(make()).replace('</SignatureValue>', `$&<Object>${added}</Object>`);
  expect(await problemOf(xml)).toBeNull();
  const { entities } = await read(xml);
  expect([...entities.values()].map((entity) => entity.xml)).toEqual([
    expect.not.stringContaining('attacker'),
  ]);
});

test('an entity inside another one is not read, although both are signed', async () => {
  const hidden = metadataOf({ entityId: ENTITY, ssoUrl: 'https://attacker.example' });
  const around = `<md:EntityDescriptor entityID="https://other"><md:Extensions><w>${hidden}</w></md:Extensions></md:EntityDescriptor>`;
  const { entities } = await read(federationOf([around, metadataOf({ entityId: ENTITY })]));
  expect([...entities.values()].map(({ xml }) => xml)).toEqual([expect.not.stringContaining('attacker')]);
});

describe('what is refused', () => {
  const long = 'x'.repeat(2_300_000);
  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'it is not well-formed XML'],
    ['a page', '<html></html>', 'its root is no EntityDescriptor'],
    ['what is cut off', FEDERATION().slice(0, -9), 'it is not well-formed XML'],
    ['a prefix without a namespace', federationOf(['<a:b/>']), 'it is not well-formed XML'],
    ['an attribute that is there twice', federationOf(['<a b="1" b="2"/>']), 'it is not well-formed XML'],
    ['a DOCTYPE', `<!DOCTYPE a [<!ENTITY b "c">]>${FEDERATION()}`, 'it has a DOCTYPE'],
    ['another encoding', Buffer.from('<a b="\xe4"/>', 'latin1'), 'it is not UTF-8'],
    ['deep nesting', federationOf(['<a>'.repeat(50) + '</a>'.repeat(50)]), 'it has more than 40 levels'],
    [
      'an entity beyond any real one',
      metadataOf({ entityId: ENTITY, attributes: `x="${long.slice(0, 1_100_000)}"` }),
      'an entity or a signature is larger',
    ],
    ['a text beyond any real one', federationOf([`<a>${long}</a>`]), 'a part of it is larger'],
    ['instructions before the first element', federationOf(['<?a?>'.repeat(2_000)]), 'it begins with more'],
    [
      'an element with many namespaces, all of which each element in it would have',
      federationOf([`<a${Array.from({ length: 50 }, (_, index) => ` xmlns:p${index}="urn:p"`).join('')}/>`]),
      'an element has more than 40 attributes',
    ],
    ['a tag beyond any real one', federationOf([`<a b="${long}"/>`]), 'a part of it is larger'],
  ])('%s', async (_, text, told) => {
    await expect(read(text, 65_536)).rejects.toThrow(told);
  });
});

test.each([
  ['10000', 'rsa'],
  ['10', 'ecdsa'],
])(
  'a federation of %s entities, signed by %s, is read and checked in less than 200 MB',
  async (...args) => {
    const { stdout } = await runCommand(['test/support/readFederation.ts', ...args]).end(0);
    const { found, problem, megabytes } = JSON.parse(stdout);
    expect([found, problem]).toEqual([1, null]);
    expect(megabytes).toBeLessThan(200);
  },
  120_000,
);
