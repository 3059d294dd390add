import { expect, test } from '@jest/globals';
import { returnProblem, webAddress } from '../../../tools/studio/page/signIn/opening.ts';

test.each([
  ['https://sso.example.edu/authorize?state=1', 'sso.example.edu'],
  ['http://localhost:8080/authorize', 'localhost:8080'],
  ['HTTPS://SSO.example.edu', 'sso.example.edu'],
])('%s is opened', (url, host) => {
  expect(webAddress(url)?.host).toBe(host);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://sso.example.edu/1',
  '/authorize',
  '//sso.example.edu',
  '',
])('%j is not opened', (url) => {
  expect(webAddress(url)).toBeNull();
});

test('the provider leads back to a tab that has the token', () => {
  const callback = 'http://localhost:3003/callback/openid';
  expect(returnProblem(callback, 'http://localhost:3003')).toBeNull();
  expect(returnProblem(callback, 'http://127.0.0.1:3003')).toContain('npm start');
});
