import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LookUpFailed } from '../../lib/reasons.ts';
import { endpoint, followLink, type LookUpUrl, url } from '../../lib/toolkit/url.ts';

const base = endpoint('https://api.example/v1/');

describe('a URL with values', () => {
  test.each<[LookUpUrl, string]>([
    [url`https://api.example`, 'https://api.example/'],
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

  test('stays below its place on a server that decodes the path, however often, before it resolves it', () => {
    const part = fc.constantFrom('.', '..', '/', '\\', '%', '2e', '2E', '2f', '5c', '25', 'a');
    const values = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(values, (value) => {
        const isSafe = !stepsOf(value).some((step) => step === '.' || step === '..');
        seen[isSafe ? 'accepted' : 'refused']++;
        const make = () => url`https://api.example/${value}`;
        if (!isSafe) return expect(make).toThrow(LookUpFailed);
        expect(stepsOf(make().href).slice(0, 3).join('/')).toBe('https://api.example');
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100);
  });

  /** The steps of a path once each escape in it is decoded, those that decoding makes too. */
  function stepsOf(path: string): string[] {
    const decoded = path.replace(/%(2e|2f|5c|25)/gi, (encoded) => decodeURIComponent(encoded));
    return decoded === path ? path.split(/[/\\]/) : stepsOf(decoded);
  }

  test.each<[string, () => LookUpUrl]>([
    ['.. in a query', () => url`https://api.example/?q=${'../x'}`],
    ['a list', () => url`https://api.example/a/${['x'] as never}/b`],
    ['a part of the host', () => url`https://api.${'evil.example'}/`],
    ['a port', () => url`https://api.example:${1}/`],
    ['what follows the host', () => url`https://api.example${'@evil.example/'}`],
    ['what follows the host of an endpoint', () => url`${endpoint('https://api.example')}${'.evil.example'}`],
    ['another scheme', () => url`file:///etc/${'passwd'}`],
  ])('refuses %s as a value', (_, make) => {
    expect(make).toThrow(LookUpFailed);
  });
});

test.each(['', 'ftp://api.example', 'https://api.example/#x', 'https://api.example?'])(
  'an endpoint is not %j',
  (text) => {
    expect(() => endpoint(text)).toThrow(LookUpFailed);
  },
);

describe('a link', () => {
  test('to the same origin is followed', () => {
    expect(followLink(base, '/next?page=2').href).toBe('https://api.example/next?page=2');
  });

  test.each(['http://api.example/x', 'https://api.example@evil.example/'])(
    'elsewhere is refused: %s',
    (link) => {
      expect(() => followLink(base, link)).toThrow(LookUpFailed);
    },
  );
});

test.each<[string, string, () => LookUpUrl]>([
  ['unknown', 'an http or https URL without query', () => endpoint('xhttps://api.example')],
  ['unknown', 'a URL with a literal host', () => url`https://${'evil.example'}/`],
  ['api.example', 'no empty segment in the path', () => url`https://api.example/${''}`],
  ['api.example', 'a link to the same origin', () => followLink(base, 'https://evil.example')],
  ['api.example', 'a link to the same origin', () => followLink(base, 'http://:')],
  ['a.example', 'a text or a number; an endpoint only at the start', () => url`https://a.example/${base}`],
  ['a.example', 'a value without the dot segments . and ..', () => url`https://a.example/${'..'}`],
  ['a.example', 'a value that is well-formed Unicode', () => url`https://a.example/${'\ud800'}`],
])('a refusal names the host where there is one, and what was expected: %s, %s', (host, expected, make) => {
  const refusal = { code: 'lookup_url_refused', details: { host, problems: [`expected ${expected}`] } };
  expect(make).toThrow(expect.objectContaining(refusal));
});
