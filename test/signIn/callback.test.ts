import { describe, expect, test } from '@jest/globals';
import { formFields, MAX_FORM } from '../../tools/signIn/callback.ts';

describe('the fields of a form', () => {
  test.each([
    [
      'as a browser sends them',
      'SAMLResponse=a%2Bb%3D&RelayState=x+y',
      { SAMLResponse: 'a+b=', RelayState: 'x y' },
    ],
    [
      'in any order, among others',
      'a&RelayState=1&SAMLRequest=2&=3&SAMLResponse=',
      { RelayState: '1', SAMLResponse: '' },
    ],
    ['the first of each', 'RelayState=1&RelayState=2', { RelayState: '1' }],
    ['none out of another form', '{"SAMLResponse":"x"}', {}],
    ['none out of nothing', '', {}],
    ['empty where the encoding is malformed', 'RelayState=%E0%A4%A', { RelayState: '' }],
  ])('%s', (_, body, fields) => expect(formFields(body, ['SAMLResponse', 'RelayState'])).toEqual(fields));
});

test.each(['a&', '&', 'SAMLResponse&', '%', '=', 'SAMLResponse=%41&'])(
  'the largest form of %j takes little time',
  (part) => {
    const body = part.repeat(MAX_FORM / part.length);
    const before = process.cpuUsage();
    formFields(body, ['SAMLResponse', 'RelayState']);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  },
);
