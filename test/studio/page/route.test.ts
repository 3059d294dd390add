import { describe, expect, test } from '@jest/globals';
import { tokenIn } from '../../../tools/studio/page/connection/token.ts';
import { hrefOf, loginPath, type Route, routeOf } from '../../../tools/studio/page/route.ts';

describe('every view has a link that leads back to it', () => {
  test.each<[string, Route]>([
    ['#/logins', { view: 'logins', id: null }],
    ['#/logins/openidLoggedIn.entra', { view: 'logins', id: 'openidLoggedIn.entra' }],
    ['#/logins/a%2Fb%3Fc%23d', { view: 'logins', id: 'a/b?c#d' }],
    ['#/logins/received.1/keep', { view: 'keep', id: 'received.1' }],
    [
      '#/logins/received.1?handler=handlers%2Funi-staff',
      { view: 'logins', id: 'received.1', handler: 'handlers/uni-staff' },
    ],
    ['#/paste', { view: 'paste' }],
    ['#/sign-in', { view: 'sign-in', id: null }],
    ['#/sign-in/a%2Fb', { view: 'sign-in', id: 'a/b' }],
    ['#/compare', { view: 'compare', functionName: null, other: null }],
    ['#/compare/samlLoggedIn', { view: 'compare', functionName: 'samlLoggedIn', other: null }],
    [
      '#/compare/samlLoggedIn?with=handlers%2Funi-staff',
      { view: 'compare', functionName: 'samlLoggedIn', other: 'handlers/uni-staff' },
    ],
  ])('%s', (href, route) => {
    expect(hrefOf(route)).toBe(href);
    expect(routeOf(href)).toEqual(route);
  });
});

test.each(['', '#', '#/', '#/nothing', '#main', '#/logins/'])('%j is the list of logins', (hash) => {
  expect(routeOf(hash)).toEqual({ view: 'logins', id: null });
});

test.each([
  ['#/logins/received.1?handler=default', '/api/logins/received.1/ask?handler=default'],
  ['#/logins/received.2?handler=default', '/api/logins/received.1/ask'],
  ['#/logins', '/api/logins/received.1/ask'],
])('at %s the login is asked at %s', (hash, path) => {
  expect(loginPath('received.1', { action: '/ask', hash })).toBe(path);
});

test('a broken link leads to no login, and does not throw', () => {
  expect(routeOf('#/logins/%E0%A4%A')).toEqual({ view: 'logins', id: '%E0%A4%A' });
});

test.each([
  ['#token=abc-_123', 'abc-_123'],
  ['#token=', null],
  ['#/logins/token=abc', null],
  ['', null],
])('the token in %j is %j', (hash, token) => {
  expect(tokenIn(hash)).toBe(token);
});
