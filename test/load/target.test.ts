/** Load goes to this machine, and elsewhere only where the operator says that it is theirs. */
import { describe, expect, test } from '@jest/globals';
import { shownTarget, targetAt } from '../../tools/load/target.ts';

test.each([
  ['http://127.0.0.1:3000/openid'],
  ['http://127.8.9.1:3000/openid'],
  ['http://[::1]:3000/openid'],
  ['http://localhost:3000/openid'],
  ['https://localhost:3000/openid'],
])('%s is this machine', async (url) => {
  expect(await targetAt(url, false)).toMatchObject({ isLoopback: true });
});

describe('elsewhere', () => {
  const ELSEWHERE = 'is not this machine: add --i-operate-this if you operate it';
  test.each([
    ['https://192.0.2.1/openid'],
    ['https://[2001:db8::1]/openid'],
    ['http://0.0.0.0:3000/openid'],
    ['http://[::]:3000/openid'],
    ['https://login.invalid/openid'],
    ['https://127.0.0.1.invalid/openid'],
    ['https://localhost.invalid/openid'],
  ])('%s is refused', async (url) => {
    await expect(targetAt(url, false)).rejects.toThrow(ELSEWHERE);
  });

  test('is taken where the operator says so', async () => {
    expect(await targetAt('https://192.0.2.1/openid', true)).toMatchObject({ isLoopback: false });
  });

  test('is refused without encryption', async () => {
    await expect(targetAt('http://192.0.2.1/openid', true)).rejects.toThrow('expected https');
  });

  test('is refused where there is no such host', async () => {
    await expect(targetAt('https://login.invalid/', true)).rejects.toThrow('login.invalid is not found');
  });
});

test.each([
  ['127.0.0.1:3000', 'expected the URL of a function'],
  ['file:///etc/passwd', 'expected the URL of a function'],
  ['http://user:pass@127.0.0.1/', 'expected a URL without a user name and password'],
])('%s is refused', async (url, problem) => {
  await expect(targetAt(url, true)).rejects.toThrow(problem);
});

test('it is shown without its query', async () => {
  expect(shownTarget(await targetAt('http://127.0.0.1:1/openid?key=secret', false))).toBe(
    'http://127.0.0.1:1/openid',
  );
});
