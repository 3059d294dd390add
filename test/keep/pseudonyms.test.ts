/** Which stand-in a text gets, by its kind. */
import { describe, expect, test } from '@jest/globals';
import { Pseudonyms } from '../../tools/keep/pseudonyms.ts';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const WORD = '[a-z]{5,8}';
const IP = String.raw`(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}`;

const standIn = (text: string, ...others: string[]) => new Pseudonyms([text, ...others]).text(text);

describe('a text is replaced by its kind:', () => {
  test.each<[string, string]>([
    ['ada', WORD],
    ['', ''],
    [' .,; ', String.raw` \.,; `],
    ['Ada King', '[A-Z][a-z]{4,7} [A-Z][a-z]{4,7}'],
    ['ada@example.org', `${WORD}@${WORD}\\.${WORD}\\.example`],
    ['ada@localhost', `${WORD}@${WORD}`],
    [
      'https://example.org:8443/ada?x=1',
      `https://${WORD}\\.${WORD}\\.example:\\d{4}/${WORD}\\?[a-v]{1,2}=\\d{1,2}`,
    ],
    ['urn:ada:king', `urn:${WORD}:${WORD}`],
    ['mailto:ada@example.org', `mailto:${WORD}@${WORD}\\.${WORD}\\.example`],
    ['LDAPS://king/', `LDAPS://${WORD}/`],
    ['ftps:ada', `${WORD}:${WORD}`],
    ['the urn:ada', `${WORD} ${WORD}:${WORD}`],
    [UUID, '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}'],
    [`/${UUID.toUpperCase()}`, '/[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-9[0-9A-F]{3}-[0-9A-F]{12}'],
    ['10.0.0.1', IP],
    ['at 10.0.0.1:80', `[a-v]{2} ${IP}:\\d{2}`],
    [' 1815-12-10 ', '19\\d\\d-\\d\\d-\\d\\d'],
    ['1815-12-10T00:00:00Z', '19\\d\\d-\\d\\d-\\d\\dT08:00:00Z'],
    ['2001:db8:85a3::8a2e:370:7334', '2001:db8::[0-9a-f]{4}:[0-9a-f]{4}'],
    ['data:image/PNG;base64,iVBORw0KGgo=', 'data:image/png;base64,[\\w-]{32}'],
    ['data:image/jpeg,x', 'data:image/jpeg;base64,[\\w-]{32}'],
    ['data:text/html,ada', `${WORD}:${WORD}/${WORD},${WORD}`],
    ['x data:image/png,a', `[a-v] ${WORD}:${WORD}/${WORD},[a-v]`],
    ['https://x.org/ada%20king', `https://[a-v]{1,2}\\.${WORD}\\.example/${WORD}%20${WORD}`],
    ['https://xyz.org/a%zz/king', `https://${WORD}\\.${WORD}\\.example/[a-v]{1,2}%[a-v]{2}/${WORD}`],
    ['see https://xyz.org/b%20', `${WORD} ${WORD}://${WORD}\\.${WORD}\\.example/[a-v]{1,2}%\\d{2}`],
    ['x 1815-12-10', '[a-v]{1,2} \\d{4}-\\d{2}-\\d{2}'],
    [
      '5f0c9d1e-3b7a-4c52-be86-2d4b8a1f6c30',
      '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}',
    ],
    ['https://xyz.org/jürgen', `https://${WORD}\\.${WORD}\\.example/[a-zäöü]{5,8}`],
    [
      'https://xyz.org/jürgen/a%20b',
      `https://${WORD}\\.${WORD}\\.example/[a-z]*[äöü][a-z]*/[a-v]{1,2}%20[a-v]{1,2}`,
    ],
    ['🦄', '[☆◇○△□▽◎]'],
    ['☆', '[◇○△□▽◎]'],
    // Tag characters, which nobody sees, spell "king".
    ['ada\u{e006b}\u{e0069}\u{e006e}\u{e0067}', `${WORD}\u200b{4}`],
    ['\u0000\u0008\u000b\u000c\u000e\u001f\u007f\u009f', '\u200b{8}'],
    ['\ud83d', '\u200b'],
    ['\t\n\r ~\u00a0', '\t\n\r ~\u00a0'],
    ['👩🏿', '[☆◇○△□▽◎]🏽'],
  ])('%s', (text, form) => {
    for (let tries = 0; tries < 10; tries++) expect(standIn(text)).toMatch(new RegExp(`^${form}$`, 'u'));
  });

  test('a domain by itself is one where another text has it as one', () => {
    const DOMAIN = new RegExp(`^${WORD}\\.${WORD}\\.example$`);
    expect(standIn('example.org', 'ada@example.org')).toMatch(DOMAIN);
    expect(standIn('example.org', 'ada@mail.example.org')).toMatch(DOMAIN);
    expect(standIn('Example.org', 'https://EXAMPLE.org/')).toMatch(/\.example$/);
    expect(standIn('mail.example.org', 'ada@example.org')).toMatch(/\.example$/);
    expect(standIn('example.org', 'ada@other.org')).not.toMatch(/\.example$/);
    expect(standIn('ample.org', 'ada@example.org')).not.toMatch(/\.example$/);
    expect(standIn('example.org x', 'ada@example.org')).not.toMatch(/\.example$/);
    expect(standIn('org', 'ada@example.org')).not.toMatch(/\.example$/);
  });

  test('a long text has the length that it had', () => {
    const long = `ada@${'lovelace.'.repeat(20)}org`;
    expect(standIn(long)).toHaveLength(long.length);
    expect(standIn(long)).not.toMatch(/\.example$/);
    const shorter = standIn(`a@${'b'.repeat(144)}.org`);
    expect(shorter).toMatch(/\.example$/);
    expect(shorter.length).toBeLessThan(40);
    expect(standIn(`a@${'b'.repeat(145)}.org`)).toHaveLength(151);
  });
});

test('the same text has the same stand-in, in each place', () => {
  const pseudonyms = new Pseudonyms(['Ada', '10.0.0.1', UUID, '1815-12-10', '🦄', 'fe80::1']);
  for (const text of ['Ada', '10.0.0.1', UUID, '1815-12-10', '🦄', 'fe80::1']) {
    expect(pseudonyms.text(text)).toBe(pseudonyms.text(text));
    expect(pseudonyms.text(text)).not.toBe(text);
  }
  expect(pseudonyms.text(UUID.toUpperCase())).toBe(pseudonyms.text(UUID).toUpperCase());
  expect(pseudonyms.text(`x ${UUID}`)).toContain(pseudonyms.text(UUID));
  expect(new Pseudonyms(['Ada']).text('Ada')).not.toBe(pseudonyms.text('Ada'));
});

test('an address of a machine becomes another one', () => {
  for (let tries = 0; tries < 5_000; tries++) expect(standIn('192.0.2.7')).not.toBe('192.0.2.7');
});

describe('tokens and signatures', () => {
  const pseudonyms = new Pseudonyms([]);

  test('a token is 32 random bytes, the same for the same token', () => {
    expect(Buffer.from(pseudonyms.token('a'), 'base64url')).toHaveLength(32);
    expect(pseudonyms.token('a')).toBe(pseudonyms.token('a'));
    expect(pseudonyms.token('a')).not.toBe(pseudonyms.token('b'));
  });

  test('a signature has as many bytes as it had', () => {
    const signature = Buffer.alloc(70).toString('base64url');
    expect(Buffer.from(pseudonyms.signature(signature), 'base64url')).toHaveLength(70);
    expect(pseudonyms.signature(signature)).toBe(pseudonyms.signature(signature));
    expect(pseudonyms.signature(signature)).not.toBe(pseudonyms.token(signature));
    expect(pseudonyms.signature(signature)).not.toBe(pseudonyms.signature(`${signature.slice(0, -1)}B`));
  });
});

describe('a number', () => {
  test.each<[number, RegExp]>([
    [48213, /^\d{5,7}$/],
    [-7, /^-\d{1,2}$/],
    [1.5, /^\d{1,2}\.\d{1,2}$/],
  ])('%d is one', (value, form) => {
    const pseudonyms = new Pseudonyms([String(value)]);
    expect(String(pseudonyms.number(value))).toMatch(form);
    expect(pseudonyms.number(value)).toBe(pseudonyms.number(value));
    expect(pseudonyms.number(value)).not.toBe(value);
  });

  test('is one where every number has another in it', () => {
    const pseudonyms = new Pseudonyms(Array.from({ length: 900 }, (_, index) => String(100 + index)));
    expect(String(pseudonyms.number(123))).toMatch(/^\d{7}$/);
    expect(pseudonyms.number(123)).toBe(pseudonyms.number(123));
    expect(pseudonyms.number(123)).not.toBe(pseudonyms.number(124));
  });
});

test('words that cannot have the stand-ins of their parts are told', () => {
  expect(new Pseudonyms(['Ada']).hasCollided).toBe(false);
});
