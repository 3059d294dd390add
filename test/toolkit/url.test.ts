import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LookUpFailed } from '../../lib/toolkit/errors.ts';
import { endpoint, followLink, type LookUpUrl, url } from '../../lib/toolkit/url.ts';

const base = endpoint('https://api.example/v1/');

describe('a URL with values', () => {
  test.each<[LookUpUrl, string]>([
    [url`https://api.example/people/${'a b'}`, 'https://api.example/people/a%20b'],
    [url`https://api.example/people/${'../admin'}`, 'https://api.example/people/..%2Fadmin'],
    [url`https://api.example/?q=${'x&admin=1#y'}`, 'https://api.example/?q=x%26admin%3D1%23y'],
    [url`${base}/people/${42}`, 'https://api.example/v1/people/42'],
    [url`${base}/a?b=${'é'}&c=${'?'}`, 'https://api.example/v1/a?b=%C3%A9&c=%3F'],
  ])('%# is encoded', (made, href) => {
    expect(made.href).toBe(href);
  });

  test('stays on its host and in its place, whatever the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let made: LookUpUrl;
        try {
          made = url`https://api.example/a/${value}/z?q=${value}`;
        } catch (error) {
          expect(error).toBeInstanceOf(LookUpFailed);
          return;
        }
        const { origin, pathname, searchParams, hash } = new URL(made.href);
        expect([origin, pathname.split('/').length, hash]).toEqual(['https://api.example', 4, '']);
        expect([...searchParams]).toEqual([['q', value]]);
      }),
    );
  });

  test.each([
    ['.', () => url`https://api.example/a/${'.'}/b`],
    ['..', () => url`https://api.example/a/${'..'}`],
    ['nothing, in a path', () => url`https://api.example/a/${''}/b`],
    ['a list', () => url`https://api.example/a/${['..'] as never}/b`],
    ['a lone surrogate', () => url`https://api.example/${'\ud800'}`],
    ['a host', () => url`https://${'evil.example'}/`],
    ['a part of the host', () => url`https://api.${'evil.example'}/`],
    ['a port', () => url`https://api.example:${1}/`],
    ['a scheme', () => url`${'https'}://api.example/`],
    ['what follows the host', () => url`https://api.example${'@evil.example/'}`],
    ['another scheme', () => url`file:///etc/${'passwd'}`],
    ['an endpoint in the middle', () => url`https://api.example/${base}`],
  ])('refuses %s as a value', (_, make) => {
    expect(make).toThrow(LookUpFailed);
  });
});

describe('an endpoint', () => {
  test.each([
    '',
    'api.example',
    '/people',
    'ftp://api.example',
    'javascript:alert(1)',
    'https://api.example/?q=1',
    'https://api.example/#x',
  ])('is not %j', (text) => {
    expect(() => endpoint(text)).toThrow(LookUpFailed);
  });
});

describe('a link', () => {
  test.each([
    ['/next?page=2', 'https://api.example/next?page=2'],
    ['https://api.example/x', 'https://api.example/x'],
    ['?page=2', 'https://api.example/v1?page=2'],
  ])('to the same origin is followed: %s', (link, href) => {
    expect(followLink(base, link).href).toBe(href);
  });

  test.each([
    'https://evil.example/x',
    'http://api.example/x',
    'https://api.example:444/',
    '//evil.example/',
    'https://api.example@evil.example/',
    'javascript:1',
  ])('elsewhere is refused: %s', (link) => {
    expect(() => followLink(base, link)).toThrow(LookUpFailed);
  });
});
