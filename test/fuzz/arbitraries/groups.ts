/** What a provider may send as a group: the names of a mapping, changed, joined, escaped; and what only looks so. */
import fc from 'fast-check';
import type { Group, Mapping } from '../../../lib/profile/mappingSchema.ts';
import { groupsNamedIn } from '../oracle/mapping.ts';

/** More than are read. */
const MAX_DEPTH = 130;
const TOO_LONG = 8_300;

/** A value that is this group. */
export function exampleOf(group: Group): string {
  if (typeof group === 'string') return group;
  if ('prefix' in group) return `${group.prefix}x`;
  return 'dn' in group ? group.dn : `CN=Ada,${group.dn_suffix}`;
}

export function groupText(mapping: Mapping): fc.Arbitrary<string> {
  const groups = [mapping, ...Object.values(mapping.issuers ?? {})].flatMap(groupsNamedIn);
  const names = [...new Set(groups.flatMap((group) => [exampleOf(group), ...namesIn(group)])), ...OTHERS];
  const name = fc.constantFrom(...names);
  const change = fc.constantFrom(...CHANGES);
  const changed = fc.tuple(name, change).map(([text, change]) => change(text));
  const word = fc.oneof({ weight: 3, arbitrary: name }, { weight: 3, arbitrary: changed });
  return fc.oneof(
    { weight: 60, arbitrary: word },
    {
      weight: 30,
      arbitrary: fc.tuple(word, fc.constantFrom(...SEPARATORS), word).map((parts) => parts.join('')),
    },
    { weight: 10, arbitrary: fc.tuple(changed, change).map(([text, change]) => change(text)) },
    { weight: 10, arbitrary: fc.constantFrom(...HOSTILE) },
    {
      weight: 10,
      arbitrary: fc.tuple(name, fc.nat(MAX_DEPTH)).map(([text, depth]) => 'OU=a,'.repeat(depth) + text),
    },
    { weight: 1, arbitrary: word.map((text) => text + ' '.repeat(TOO_LONG) + text) },
  );
}

/** More characters than are read, and a group after them. */
export function tooManyGroups(mapping: Mapping): fc.Arbitrary<string[]> {
  return groupText(mapping).map((text) => [
    ...Array.from({ length: 40 }, (_, index) => `${index}`.repeat(4_000)),
    text,
  ]);
}

function namesIn(group: Group): string[] {
  if (typeof group === 'string') return [group];
  return Object.values(group);
}

const OTHERS = ['other', 'CN=Other,OU=Groups,DC=example,DC=org', '7e2a1b90-3c4d-4f5e-a6b7-c8d9e0f1a2b3'];
const SEPARATORS = ['', '', ' ', ',', ', ', ';', '|', '\n', '\t', '\u00a0', '/', '+', '='];
/** As many marks as are compared, and one more. */
const MARKS = ['\u0308'.repeat(30), '\u0308'.repeat(31), '\uff9e'.repeat(31)];
const HOSTILE = [
  ...MARKS,
  ...['CN=\\ff', 'CN=\\5cff', 'CN=a;CN=b', 'urn:mace:x=y', 'CN=\ud800', 'AT&amp;T', 'a\\u0062'],
  ...[
    '',
    ' ',
    '=',
    ',',
    '\\',
    'CN=',
    '=x',
    'CN=a,',
    'CN=a\\',
    'CN=a\\,',
    'a=b=c',
    'CN=a+',
    '1.2=x',
    '\ud800',
    '\0',
  ],
  ...[
    'CN="Suspended",OU=Groups,DC=example,DC=org',
    'CN=#04024869',
    'CN=\\ff\\fe',
    '__proto__',
    'constructor',
    ...['/', '#', '~/', '%', '%ff', 'LDAP://<GUID=1>', 'ldap://h/=', '<', `x${'%CC%88'.repeat(31)}`],
  ],
];

const wide = (character: string) => String.fromCharCode(character.charCodeAt(0) + 0xfee0);
const hex = (letter: string) => letter.charCodeAt(0).toString(16);
const CHANGES: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.replace(/[!-~]/g, wide),
  (text) => text.replace(/[a-z]/gi, wide),
  (text) => text.replace('ss', 'ß').replace('K', '\u212a').replace('fi', 'ﬁ').replace('i', 'İ'),
  (text) => ` ${text}\t`,
  (text) => `x${text}`,
  (text) => `${text}s`,
  (text) => text.slice(0, -1),
  (text) => `sus\u200b${text}`,
  (text) => text.replace(/\w/, '$&\u200b'),
  (text) => text.replace(/(?<==)\w/, '$&\u00ad'),
  (text) => text.replaceAll('s', 's\u0007'),
  (text) => text.replace(' ', ' \ufe0f\u{e0041}'),
  (text) => text.replace('s', 'ſ').replace('Σ', 'ς'),
  (text) => text + MARKS[text.length % MARKS.length],
  (text) => `${text}\udc00`,
  (text) => text.replace(/[a-z]/, (letter) => `\\u00${hex(letter)}`),
  (text) => text.replace(/[a-z]/, (letter) => `&#x${hex(letter)};`),
  (text) => text.replace(/\bCN=/i, 'commonName='),
  (text) => text.replace(/\bOU=/i, '2.5.4.11='),
  (text) => text.replace(/=([^,]*)/, '="$1"'),
  (text) => text.replace('=', '= #'),
  (text) => text.replace('=', '=\\FF'),
  (text) => text.replaceAll('\\5C', '\\'),
  (text) => `urn:x:${text}`,
  (text) => `LDAP://dc.example/${text}`,
  (text) => `ldap://dc.example/${encodeURI(text.toWellFormed())}??base`,
  (text) => `LDAP://<GUID=0c1d2e3f>;${text}`,
  (text) => `<GUID=0c1d2e3f>;<SID=S-1-5-21>;${text}`,
  (text) => `/${text}`,
  (text) => `/a/${text}/2024`,
  (text) => `CAMPUS\\${text}`,
  (text) => `urn:mace:x:group:${text}#idp`,
  (text) => `${text}#idp`,
  (text) => text.replaceAll('/', '~/'),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => text.replace(/[a-z]/, (letter) => `%${hex(letter)}`),
  (text) => `${text}%CC%88%ff%`,
  (text) => text.split(',').reverse().join(','),
  (text) => text.replace(/\bDC=/i, 'E='),
  (text) => text.replace(/\w/, '$&\u0345\u200b\u0301'),
  (text) => text.replaceAll(',', ' , '),
  (text) => text.replaceAll(',', '\\ ,'),
  (text) => text.replaceAll(',', '\\,'),
  (text) => text.replaceAll(',', '\\2C'),
  (text) => text.replaceAll(',', ';'),
  (text) => text.replaceAll('=', '\\='),
  (text) => text.replaceAll(' ', '  '),
  (text) => text.replace(/(?<==)[a-z]/gi, (letter) => `\\${hex(letter)}`),
  (text) => `CN=a+${text}`,
  (text) => `CN=${text}`,
  (text) => `CN=a,${text}`,
  (text) => `${text},DC=com`,
];
