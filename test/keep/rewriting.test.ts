/** What becomes of a leaf: it stays, moves with the time of the login, or gets a stand-in. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { Place, Role } from '../../tools/keep/leaves.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import { Rewriting, type StandIns } from '../../tools/keep/rewriting.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { openIdEvent } from '../support/wire.ts';

const ISSUER = 'https://idp.example.org';
const IAT = openIdEvent().idToken.iat;
const DAY = 86_400;
const SAID = ['ada', 'given name', 'ada@x.example', 'Mueller', 'bo', 'key'];
/** What is replaced is marked. */
const MARKS: StandIns = {
  text: (text) => `[${text}]`,
  token: (text) => `<${text}>`,
  signature: (text) => `{${text}}`,
  number: (value) => -value,
};

function rewriting(): Rewriting {
  const event = openIdEvent();
  event.idToken.otherClaims = { said: SAID };
  const exchanges = [{ request: 'GET https://api.example/people/ada', status: 200, headers: {} } as Exchange];
  return new Rewriting({ event, exchanges }, { issuer: ISSUER, mapping: mappingTexts(null, OPENID_NAMES) });
}
const at = (role: Role, path: Place['path'] = [], names: string[] = []): Place => ({ role, path, names });
const OUTSIDE = ['outside', 0, 'json', 'x'];

describe('a text', () => {
  test.each<[string, Place, string, string]>([
    ['that says something is replaced', at('value'), 'Ada', '[Ada]'],
    ['that stays as a whole', at('value'), 'true', 'true'],
    ['that is the issuer', at('issuer'), ISSUER, ISSUER],
    ['of which a part stays', at('value'), 'ada#EXT#@x.org', '[ada]#EXT#[@x.org]'],
    ['that is a token', at('token'), 'Ada', '<Ada>'],
    ['that is a signature', at('signature'), 'Ada', '{Ada}'],
    [
      'that is a request',
      at('request', ['outside', 0, 'request']),
      'GET https://api.example/people/ada',
      'GET https://api.example/people/[ada]',
    ],
    [
      'that is a request to a system of which nothing is recorded',
      at('request', ['outside', 0, 'request']),
      'GET https://other.example/people/ada',
      'GET https://other.example/people/[ada]',
    ],
    [
      'of a response that is a link to a system that is asked',
      at('value', OUTSIDE),
      'https://api.example/people/ada',
      'https://api.example/people/[ada]',
    ],
    [
      'of a response that is a link to another system',
      at('value', OUTSIDE),
      'https://other.example/people/ada',
      '[https://other.example/people/ada]',
    ],
    [
      'of the event that is such a link',
      at('value', ['idToken', 'otherClaims', 'x']),
      'https://api.example/people/ada',
      '[https://api.example/people/ada]',
    ],
    [
      'that is such a link, and the name of a field',
      at('fieldName', OUTSIDE),
      'https://api.example/people/ada',
      '[https://api.example/people/ada]',
    ],
    ['that is no time where a time is expected', at('time'), 'soon', '[soon]'],
    ['that is a time of another day', at('value'), '1979-11-21T10:00:00Z', '[1979-11-21T10:00:00Z]'],
    ['that is a name ID and a time', at('nameId'), timeText(IAT), `[${timeText(IAT)}]`],
  ])('%s', (_, place, text, expected) => {
    expect(rewriting().by(MARKS)(text, place)).toBe(expected);
  });

  test.each<[string, Place, number]>([
    ['of the login', at('value'), IAT - 60],
    ['of a field for times', at('time'), IAT - 60],
    ['of a field for times, on another day', at('time'), IAT - 30 * DAY],
  ])('that is a time %s moves with the login', (_, place, seconds) => {
    const rewrite = rewriting().by(MARKS);
    const shift = rewrite(IAT, at('time')) - IAT;
    expect(rewrite(timeText(seconds), place)).toBe(timeText(seconds + shift));
  });

  function timeText(seconds: number): string {
    return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
  }
});

describe('a number', () => {
  test.each<[string, Place, number, number]>([
    ['of its own', at('value'), 4711, -4711],
    ['below zero', at('value'), -1, 1],
    ['that says no or yes', at('value'), 0, 0],
    ['that says no or yes', at('value'), 1, 1],
    ['that is a lifetime', at('lifetime'), 3600, 3600],
  ])('%s', (_, place, value, expected) => {
    expect(rewriting().by(MARKS)(value, place)).toBe(expected);
  });

  test.each<[string, Place, number]>([
    ['of a field for times', at('time'), IAT - 30 * DAY],
    ['of another field, near the login', at('value'), IAT - 60],
    ['of the last change, near the login', at('time', ['updated_at']), IAT - 60],
  ])('that is a time %s moves with the login', (_, place, seconds) => {
    const rewrite = rewriting().by(MARKS);
    expect(rewrite(seconds, place) - seconds).toBe(rewrite(IAT, at('time')) - IAT);
  });

  test('that is the time of the last change, long before the login, becomes another one', () => {
    const rewrite = rewriting().by(MARKS);
    const changed = IAT - 30 * DAY;
    const made = rewrite(changed, at('time', ['updated_at']));
    expect(made).not.toBe(changed + rewrite(IAT, at('time')) - IAT);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(rewrite(IAT, at('time')) - DAY);
  });
});

test.each([
  ['department', true],
  ['line2', true],
  ['@odata.count', true],
  ['urn:x:adaOrders', true],
  ['$ref-1.a', true],
  ['given_name', true],
  ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', true],
  ['bo', true],
  ['ada', false],
  ['ADA_orders', false],
  ['Müller', false],
  ['x-1234', false],
  ['eve@y', false],
  ['eve king', false],
  ['https://y.example', false],
])('the name of a field in a response, %p, is code: %p', (name, isCode) => {
  const made = rewriting().by(MARKS)(name, at('fieldName', OUTSIDE));
  expect(made).toBe(isCode ? name : `[${name}]`);
});

describe('what stays is told:', () => {
  const REQUEST = 'GET https://api.example/people/ada';

  test.each<[string, Place, string | number, [text: string, why: string, isPart: boolean][]]>([
    ['nothing of what is replaced', at('value'), 'Ada', []],
    ['nothing of a number', at('time'), IAT, []],
    ['nothing of an empty text', at('value'), ' ', []],
    ['all of a text', at('issuer'), ISSUER, [[ISSUER, 'the issuer', false]]],
    ['a part of a text', at('value'), 'ada#EXT#@x', [['#EXT#', "Entra's sign of a guest", true]]],
    ['a lifetime', at('lifetime'), 3600, [['3600', 'the lifetime of the access token, in seconds', false]]],
    [
      'the system of a request',
      at('request'),
      REQUEST,
      [['https://api.example', 'a system that the handler asks', true]],
    ],
    ['no system of a text that is no request', at('request'), 'ada', []],
    [
      'a field of a response',
      at('fieldName', OUTSIDE),
      'department',
      [['department', 'the name of a field in a recorded response', false]],
    ],
  ])('%s', (_, place, leaf, stays) => {
    const expected = stays.map(([text, why, isPart]) => ({ text, why, isPart }));
    expect(rewriting().staysOf(leaf, place)).toEqual(expected);
  });
});
