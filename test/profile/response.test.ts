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
    'กำ@uni.example',
    'ada@a﴾b.example',
    '@x.example'.padStart(320, 'x'),
  ])('%s leaves as it is', (email) => {
    expect(leaving({ email })).toMatchObject({ success: true, output: { email } });
  });

  test.each([
    ['a space', 'a da@uni.example'],
    ['a no-break space', 'ada\u00a0@uni.example'],
    ['a control character', 'ada\u0000@uni.example'],
    ['an escape', 'ada\u001b@uni.example'],
    ['a decomposed letter', 'ju\u0308rgen@uni.example'],
    ['321 characters', '@x.example'.padStart(321, 'x')],
  ])('with %s is refused', (_, email) => {
    expect(leaving({ email }).issues?.map(({ message }) => message)).toEqual(['expected an e-mail address']);
  });

  test.each([
    ['fullwidth letters', 'ada@ｅxample.org'],
    ['a fullwidth full stop', 'ada@example．org'],
    ['an ideographic full stop', 'ada@example。org'],
    ['a halfwidth ideographic full stop', 'ada@example｡org'],
    ['a letter in the place of ASCII', 'ſam@uni.example'],
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
  ])('leaves %s', (_, given, left) => {
    expect(leaving({ [field]: given })).toMatchObject({ success: true, output: { [field]: left } });
  });
});

describe('an image URL', () => {
  test.each(['https://example.org/ada.png?size=96#x', 'http://example.org'])('%s leaves', (image_url) => {
    expect(leaving({ image_url })).toMatchObject({ success: true, output: { image_url } });
  });

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['a script in another case', ' JaVaScRiPt:alert(1)'],
    ['a script with a tab', 'java\tscript:alert(1)'],
    ['a page', 'data:text/html,<script>'],
  ])('with %s is left out', (_, image_url) => {
    expect(leaving({ image_url })).toMatchObject({ success: true, output: { image_url: null } });
  });

  test('has at most 100,000 characters', () => {
    const image_url = 'https://example.org/'.padEnd(100_000, 'x');
    expect(leaving({ image_url })).toMatchObject({ output: { image_url } });
    expect(leaving({ image_url: `${image_url}x` })).toMatchObject({ output: { image_url: null } });
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
    [{ type: 'ErrorResponse', message: 'x'.repeat(10_001) }, 'expected at most 10000 characters'],
  ])('is refused with words that say what was expected: %#', (response, message) => {
    const { issues = [] } = v.safeParse(UserLoginResponse, response);
    expect(issues.map((issue) => issue.message)).toEqual([message]);
  });
});
