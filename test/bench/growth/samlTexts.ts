/** Texts that may stand in an assertion, each of a form that some parser, pattern or comparison could be slow at. */
import { MARKS, repeated, type Text } from './text.ts';

const UUID = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

export const GROUP_VALUES: Record<string, Text> = {
  'one letter': repeated('a'),
  'nearly a forbidden name': repeated('suspended-00'),
  'a prefix again and again': repeated('/member-001/'),
  UUIDs: repeated(UUID),
  'UUIDs with a letter after them': repeated(UUID, { after: 'x' }),
  'equals signs': repeated('=', { before: 'cn' }),
  'parts of a distinguished name': repeated('ou=a,', { after: 'dc=example' }),
  'parts of a forbidden suffix': repeated('ou=groups,', { after: 'dc=uni,dc=example' }),
  'attributes of one part': repeated('cn=a+', { after: 'cn=b' }),
  'escaped commas': repeated('\\,', { before: 'cn=' }),
  'escaped bytes': repeated('\\2c', { before: 'cn=' }),
  'escaped bytes that are no text': repeated('\\ff', { before: 'cn=' }),
  backslashes: repeated('\\', { before: 'cn=' }),
  'white space in a distinguished name': repeated(' ', { before: 'cn=a', after: 'b,dc=example' }),
  'words in a distinguished name': repeated('a  ', { before: 'cn=', after: ',dc=example' }),
  'capital letters in a distinguished name': repeated('ÄA', { before: 'cn=', after: ',dc=example' }),
  'separators alone': repeated(',', { before: 'cn=a' }),
  'letters that Unicode composes': repeated('e\u0301'),
  'marks out of order': repeated(MARKS, { before: 'e' }),
  'percent-encoded letters': repeated('%41'),
  'percent-encoded bytes that are no text': repeated('%ff'),
  'percent-encoded marks out of order': repeated('%cc%81%cc%a7'),
  slashes: repeated('/'),
  'segments of a path': repeated('a/'),
  'nearly a forbidden path': repeated('/suspended-00'),
  'escaped slashes': repeated('~/'),
  hashes: repeated('#'),
  'identifiers before a distinguished name': repeated('<GUID=a>;', { after: 'cn=a' }),
  'open identifiers': repeated('<GUID='),
  'question marks of an LDAP URL': repeated('?', { before: 'ldap://h/cn=a' }),
};

export const ADDRESSES: Record<string, Text> = {
  'many @': repeated('@'),
  'addresses in one text': repeated('a@uni.example'),
  'labels of a domain': repeated('a.', { before: 'a@', after: 'uni.example' }),
  'white space': repeated(' ', { before: 'a', after: '@uni.example' }),
  'marks out of order': repeated(MARKS, { before: 'a', after: '@uni.example' }),
};

export const FULL_NAMES: Record<string, Text> = {
  'white space': repeated(' ', { before: 'Ada', after: 'Lovelace' }),
  words: repeated('a '),
  'white space and a last letter': repeated('\t', { after: 'a' }),
  commas: repeated(','),
  'surrogates and controls': repeated('\ud800\u0007'),
};

export const AFFILIATIONS: Record<string, Text> = {
  'values in one text': repeated('member@uni.example'),
  'values that begin alike': repeated('member@uni.examplemember'),
  'labels of a scope': repeated('a.', { before: 'member@', after: 'uni.example' }),
  'many @': repeated('@', { before: 'member' }),
};

export const DATE_TIMES: Record<string, Text> = {
  'fraction of a second': repeated('1', { before: '2026-11-21T10:00:00.', after: 'Z' }),
  'digits before the date': repeated('1', { after: '-11-21T10:00:00Z' }),
  'fraction without an end': repeated('1', { before: '2026-11-21T10:00:00.', after: 'x' }),
};
