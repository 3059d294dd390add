/** What of an answer leaves: one address a person, names and images that a page can show. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  authorizedUser,
  defaultWords,
  error,
  forbidden,
  responseSchema,
} from '../../lib/profile/response.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import { openId } from './decided.ts';

const UserLoginResponse = responseSchema(REQUIRABLE_FIELDS);

const ADA = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
};

function leaving(fields: Record<string, unknown>) {
  return v.safeParse(UserLoginResponse, { ...ADA, ...fields });
}

describe('an e-mail address', () => {
  test.each([
    'jürgen@uni.example',
    "o'brien@uni.example",
    'zofia+x@uni.example',
    'ada@localhost',
    'ад@пример.рф',
    '李@例え.テスト',
    'علي@مثال.إختبار',
    '😀@uni.example',
    'กำ@uni.example',
    'ຳໜໝ@uni.example',
    'և@uni.example',
    'ハナ@uni.example',
    'ada@a﴾b.example',
    'a!#$%&*/=?^_`{|}~-.b@uni.example',
    '@x.example'.padStart(320, 'x'),
  ])('%s leaves as it is', (email) => {
    expect(leaving({ email })).toMatchObject({ success: true, output: { email } });
  });

  test.each([
    ['a space', 'a da@uni.example'],
    ['a no-break space', 'ada\u00a0@uni.example'],
    ['a control character', 'ada\u0000@uni.example'],
    ['an escape', 'ada\u001b@uni.example'],
    ['a zero-width space', 'ada\u200b@uni.example'],
    ['a zero-width joiner', 'ada\u200d@uni.example'],
    ['a word joiner', 'ada\u2060@uni.example'],
    ['a byte order mark', 'ada\ufeff@uni.example'],
    ['a bidirectional override', 'ada\u202e@uni.example'],
    ['a soft hyphen', 'ada\u00ad@uni.example'],
    ['a lone surrogate', 'ada\ud800@uni.example'],
    ['an unassigned character', 'ada\u0378@uni.example'],
    ['a private character', 'ada\ue000@uni.example'],
    ['a Hangul filler', 'ada\u3164@uni.example'],
    ['a combining grapheme joiner', 'ada\u034f@uni.example'],
    ['a variation selector', 'ada\ufe0f@uni.example'],
    ['an empty Braille pattern', 'ada\u2800@uni.example'],
    ['an object replacement character', 'ada\ufffc@uni.example'],
    ['a joiner of a script', 'ada\u2d7f@uni.example'],
    ['a musical null notehead', 'ada\u{1d159}@uni.example'],
    ['a decomposed letter', 'ju\u0308rgen@uni.example'],
    ['the Kelvin sign', 'ada@un\u212a.example'],
    ['an angle bracket', 'ada<@uni.example'],
    ['a quote', '"ada"@uni.example'],
    ['a comment', 'ada(x)@uni.example'],
    ['a list of two', 'ada@uni.example,'],
    ['a list of two with a semicolon', 'ada@uni.example;'],
    ['a scheme', 'mailto:ada@uni.example'],
    ['a literal address', 'ada@[127.0.0.1]'],
    ['a backslash', 'ada\\@uni.example'],
    ['two @', 'ada@uni.example@evil.example'],
    ['321 characters', '@x.example'.padStart(321, 'x')],
    ['marks without end', `a${'\u0301\u0327'.repeat(40_000)}@uni.example`],
  ])('with %s is refused', (_, email) => {
    expect(leaving({ email }).issues?.map(({ message }) => message)).toEqual(['expected an e-mail address']);
  });

  test.each([
    ['fullwidth letters', 'ada@ｅxample.org'],
    ['a fullwidth full stop', 'ada@example．org'],
    ['an ideographic full stop', 'ada@example。org'],
    ['a halfwidth ideographic full stop', 'ada@example｡org'],
    ['a fullwidth @', 'a@b＠c'],
    ['a ligature', 'oﬃce@uni.example'],
    ['a letter in the place of ASCII', 'ſam@uni.example'],
    ['a letter whose compatibility form has ASCII', 'ǆ@uni.example'],
    ['a digit in a circle', 'ada①@uni.example'],
    ['a mathematical letter', '𝐚da@uni.example'],
    ['halfwidth katakana', 'ﾊﾅ@uni.example'],
    ['an Arabic presentation form', 'ﺏ@uni.example'],
    ['a vertical form', 'a︰b@uni.example'],
    ['a fullwidth sign', 'ada￠@uni.example'],
    ['a Thai letter of two in the domain', 'ada@กำ.example'],
  ])('with compatibility characters is refused: %s', (_, email) => {
    const expected = 'expected an e-mail address without compatibility characters';
    expect(leaving({ email }).issues?.map(({ message }) => message)).toEqual([expected]);
  });
});

describe.each(['first_name', 'last_name', 'affiliation'])('%s', (field) => {
  test.each([
    ['as it is', 'Ada', 'Ada'],
    ['with marks of its script', 'علي\u200f 👩‍🔬', 'علي\u200f 👩‍🔬'],
    ['empty', '', ''],
    ['without control characters', 'A\u0000d\u001ba\r\n\u0085', 'Ada'],
    ['without bidirectional controls', '\u202eadA\u202c \u2066x\u2069', 'adA x'],
    ['well-formed', 'Ada\ud800', 'Ada\ufffd'],
    ['of 200 characters', 'x'.repeat(300), 'x'.repeat(200)],
    ['of 200 whole characters', '😀'.repeat(300), '😀'.repeat(200)],
    ['of 200 characters after others', '\u0000'.repeat(10_000) + 'x'.repeat(201), 'x'.repeat(200)],
  ])('leaves %s', (_, given, left) => {
    expect(leaving({ [field]: given })).toMatchObject({ success: true, output: { [field]: left } });
  });

  test('is the handler’s mistake where it is not text', () => {
    expect(leaving({ [field]: 7 }).success).toBe(false);
  });
});

describe('an image URL', () => {
  test.each([
    'https://example.org/ada.png?size=96#x',
    'http://example.org',
    'HTTPS://example.org:8443/~ada/%20.png',
    'https://lh3.googleusercontent.com/a/ACg8ocJ=s96-c',
    'https://bücher.example/ä.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:image/webp;base64,UklGRg==',
  ])('%s leaves', (image_url) => {
    expect(leaving({ image_url })).toMatchObject({ success: true, output: { image_url } });
  });

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['a script in another case', ' JaVaScRiPt:alert(1)'],
    ['a script with a tab', 'java\tscript:alert(1)'],
    ['a page', 'data:text/html,<script>'],
    ['a drawing with scripts', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['an image with a lookalike type', 'data:image/pngx,'],
    ['user information', 'https://user:pass@example.org/'],
    ['user information without a name', 'https://@example.org/'],
    ['no scheme', '//example.org/ada.png'],
    ['a relative path', 'ada.png'],
    ['a file', 'file:///etc/passwd'],
    ['a backslash', 'https:\\\\example.org/ada.png'],
    ['a quote', 'https://example.org/"onerror="alert(1)'],
    ['a line break', 'https://example.org/\nada.png'],
    ['a bidirectional override', 'https://example.org/\u202egnp.exe'],
    ['no host', 'https://'],
    ['a port that is no port', 'https://example.org:99999/'],
    ['nothing', ''],
    ['an endless URL', `https://example.org/${'x'.repeat(100_000)}`],
  ])('with %s is left out', (_, image_url) => {
    expect(leaving({ image_url })).toMatchObject({ success: true, output: { image_url: null } });
  });

  test('has at most 100,000 characters', () => {
    const image_url = 'https://example.org/'.padEnd(100_000, 'x');
    expect(leaving({ image_url })).toMatchObject({ output: { image_url } });
    expect(leaving({ image_url: `${image_url}x` })).toMatchObject({ output: { image_url: null } });
  });

  test('is the handler’s mistake where it is not text', () => {
    expect(leaving({ image_url: { href: 'https://example.org' } }).success).toBe(false);
  });
});

describe('a response as a handler writes it', () => {
  test('has no image, affiliation and groups where none are given', () => {
    const profile = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
    expect(authorizedUser(profile)).toEqual({
      ...ADA,
      image_url: null,
      affiliation: null,
      user_group_uuids: [],
    });
  });

  test('has a neutral sentence where no message is given', () => {
    expect(forbidden()).toEqual({
      type: 'ForbiddenResponse',
      message:
        'You are not allowed to log in here. If you think that this is a mistake, contact the people who run this service.',
    });
    expect(error()).toEqual({
      type: 'ErrorResponse',
      message:
        'Your login failed. Please try again. If it fails again, contact the people who run this service.',
    });
    expect(defaultWords(forbidden().message)).toBe('forbidden');
    expect(defaultWords(error().message)).toBe('not_completed');
    for (const { message } of [forbidden('No.'), error('')]) expect(defaultWords(message)).toBeNull();
  });

  test('gives groups in lower case, from a mapping too', () => {
    const uuid = '5F0C9D1E-3B7A-4C52-9E86-2D4B8A1F6C30';
    expect(leaving({ user_group_uuids: [uuid] }).output).toMatchObject({
      user_group_uuids: [uuid.toLowerCase()],
    });
    const table = [uuid, uuid.toLowerCase()].map((uuid) => ({ group: 'staff', uuid }));
    const { response } = openId({ groups: { from: ['groups'], table } }, { groups: ['staff'] });
    expect(response).toMatchObject({ user_group_uuids: [uuid.toLowerCase()] });
  });

  test('leaves with its identifier without white space around it', () => {
    expect(leaving({ external_id: ' a-1\n' }).output).toMatchObject({ external_id: 'a-1' });
  });

  test.each<[unknown, string]>([
    [null, 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse'],
    [{ type: 'Nobody' }, 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse'],
    [{ ...ADA, user_group_uuids: ['x'] }, 'expected a UUID'],
    [{ ...ADA, user_group_uuids: [7] }, 'expected a UUID'],
    [{ ...ADA, external_id: ' \n' }, 'expected a string that is not empty'],
    [{ ...ADA, external_id: 'x'.repeat(10_001) }, 'expected at most 10000 characters'],
    [{ type: 'ErrorResponse', message: 'x'.repeat(10_001) }, 'expected at most 10000 characters'],
  ])('is refused with words that say what was expected: %#', (response, message) => {
    const { issues = [] } = v.safeParse(UserLoginResponse, response);
    expect(issues.map((issue) => issue.message)).toEqual([message]);
  });
});
