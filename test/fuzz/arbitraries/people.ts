/** What a provider may send as an address, a name, an affiliation or a picture. */
import fc from 'fast-check';
import { DOMAINS } from './mappings.ts';

const locals = fc.constantFrom('ada', 'jürgen', "o'brien", 'zofia+x', 'Ada.Lovelace', 'a', 'x_#EXT#');
const domain = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...DOMAINS,
      'EXAMPLE.org',
      'a.example.org',
      'cs.uni.example',
      'a.b.uni.example',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        'example.com',
        'evil-example.org',
        'example.org.evil',
        'xexample.org',
        '.example.org',
        'a..uni.example',
      ],
      ...[
        'ex\u00e4mple.org',
        'example.org.',
        'uni.examp\u217ce',
        'ex\u0430mple.org',
        '\u212a.uni.example',
        'localhost',
        ...['ｅxample.org', 'uni．example', 'uni。example', 'uni｡example'],
      ],
    ),
  },
);
const OFFENDERS = [
  ...'<>"(),;:\\[] \t\n\0\u0007\u007f\u0085\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u202e\u2028\u2060',
  ...[
    '\u2066',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ud800',
    '\udc00',
    '\ue000',
    '\u0378',
    '\u{e0041}',
    ...'\ufffc\u1a60\u2d7f\u{11a47}\u{13441}\u{13442}\u{16fe4}\u{1d159}',
  ],
  ...['\u0308', 'e\u0301', 'A\u030a', '\u212b', '@', '@@'],
  ...'．。｡＠ｅﬁſ①ªﾊﺏ﹒︰￠´ำຳໜև',
];
const plainAddress = fc.tuple(locals, domain).map((parts) => parts.join('@'));
const offendedAddress = fc
  .tuple(plainAddress, fc.constantFrom(...OFFENDERS), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([address, offender, where]) => insert(address, offender, where));

export const address: fc.Arbitrary<string> = fc.oneof(
  { weight: 25, arbitrary: plainAddress },
  { weight: 20, arbitrary: offendedAddress },
  {
    weight: 5,
    arbitrary: fc
      .tuple(plainAddress, fc.constantFrom('', ' ', ',', ';'), plainAddress)
      .map((parts) => parts.join('')),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom('', ' ', '@', 'ada', 'ada@', '@example.org', ' ada@example.org ', 'n/a'),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.string({ unit: 'binary', maxLength: 5 }), domain).map((parts) => parts.join('@')),
  },
  {
    weight: 1,
    arbitrary: fc
      .oneof(fc.integer({ min: 300, max: 315 }), fc.nat(12_000))
      .map((length) => `${'a'.repeat(length)}@example.org`),
  },
);

const word = fc.constantFrom(
  'Ada',
  'Lovelace',
  'Zoë',
  '李',
  'عائشة',
  '-',
  'x'.repeat(250),
  '👩‍🔬'.repeat(90),
);
export const personName: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc
      .tuple(word, fc.constantFrom('\0', '\u202e', '\u2066', '\ud83d', '\r\n', '\u0085', ', ', ' '))
      .map(([text, odd]) => text + odd + text),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

export const imageUrl: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      'https://example.org/ada.png',
      'HTTP://example.org/',
      'http://[::1]/a',
      'https://example.org/\u00e4?a=b#c',
    ],
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      '\0javascript:1',
    ],
    ...[
      'data:image/png;base64,AAAA',
      'data:image/svg+xml,<svg/>',
      'data:text/html,x',
      'DATA:IMAGE/GIF;base64,',
      'data:image/webp',
    ],
    ...[
      'https://ada:secret@example.org/',
      'https://ada@example.org/',
      '//example.org/a.png',
      'ada.png',
      'https://',
      'ftp://example.org/a',
    ],
    ...[
      'blob:https://example.org/1',
      'file:///etc/passwd',
      'vbscript:x',
      'https:example.org',
      'https:/\\example.org',
    ],
  ),
  fc.nat(3).map((more) => `https://example.org/${'a'.repeat(99_979 + more)}`),
  fc.webUrl(),
);

export function scopedAffiliation(): fc.Arbitrary<string> {
  const affiliation = fc.constantFrom(
    ...['member', 'staff', 'student', 'Faculty', 'library-walk-in', 'STAFF', 'employee', 'rector', ''],
  );
  const scope = fc.oneof(
    fc.constantFrom(...DOMAINS, '*.uni.example', 'UNI.example', 'x.uni.example'),
    domain,
  );
  const one = fc.tuple(affiliation, scope).map((parts) => parts.join('@'));
  return fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 3, arbitrary: fc.array(one, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')) },
    {
      weight: 1,
      arbitrary: fc.tuple(one, fc.constantFrom(' ', ',', ';', '@', 'x'), one).map((parts) => parts.join('')),
    },
  );
}

function insert(text: string, more: string, where: number): string {
  const at = Math.round(where * text.length);
  return text.slice(0, at) + more + text.slice(at);
}
