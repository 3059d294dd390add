/** URLs that a handler asks: what it wrote in them stays, what it took from the event does not. */
import { describe, expect, test } from '@jest/globals';
import { AskedUrls, originOf } from '../../tools/keep/askedUrls.ts';
import { saidIn } from '../../tools/keep/said.ts';
import type { Exchange } from '../../tools/local/process/local.ts';

const exchange = (request: string, more: Partial<Exchange> = {}) =>
  ({ request, status: 200, headers: {}, ...more }) as Exchange;
const said = (...texts: string[]) =>
  saidIn({ event: { idToken: { otherClaims: { texts } } }, exchanges: [] });
/** The URL with what is replaced in brackets. */
function marked(url: string, texts: string[], exchanges = [exchange(url)]): string {
  return new AskedUrls(exchanges, said(...texts)).rewritten(url, (text) => `[${text}]`);
}

test.each([
  ['GET https://api.example:8443/people/ada?x=1#y', 'https://api.example:8443'],
  ['http://api.example', 'http://api.example'],
  ['POST https://api.example?x', 'https://api.example'],
  ['ftp://api.example', ''],
  ['ada https://api.example', ''],
  ['GET  https://api.example', ''],
  ['x', ''],
])('the origin of %s is %s', (request, origin) => {
  expect(originOf(request)).toBe(origin);
});

describe('in a request,', () => {
  test.each<[string, string[], string]>([
    ['GET https://api.example/people/ada', ['ada'], 'GET https://api.example/people/[ada]'],
    ['GET https://ada.example/people/ada', ['ada'], 'GET https://ada.example/people/[ada]'],
    ['https://x.example/a?q=ada&size=2', ['ada'], 'https://x.example/a?q=[ada]&size=2'],
    ['https://x.example/Ada', ['ada king'], 'https://x.example/[Ada]'],
    ['https://x.example/ada%20king/orders', ['ada king'], 'https://x.example/%5Bada%20king%5D/orders'],
    ['https://x.example/a@x.org', ['a@x.org'], 'https://x.example/[a@x.org]'],
    ['https://x.example/a%40x.org', ['a@x.org'], 'https://x.example/%5Ba%40x.org%5D'],
    ['https://x.example/ada/ada', ['ada'], 'https://x.example/[ada]/[ada]'],
    ['https://x.example/ada/adaking', ['ada', 'adaking'], 'https://x.example/[ada]/[adaking]'],
    ['https://x.example/bo', ['bo'], 'https://x.example/bo'],
    ['https://x.example/people', [], 'https://x.example/people'],
    ['https://x.example', ['ada'], 'https://x.example'],
    ['https://x.example/a-b', ['a-b'], 'https://x.example/[a-b]'],
    ['https://x.example/a\nada', ['ada'], 'https://x.example/a\n[ada]'],
    ['ldap://x.example/ada', ['ada'], 'ldap://x.example/[ada]'],
  ])('%s', (url, texts, expected) => {
    expect(marked(url, texts)).toBe(expected);
  });

  test('what is replaced can be told', () => {
    const url = 'https://x.example/people/ada/king';
    const asked = new AskedUrls([exchange(url)], said('ada', 'king'));
    expect(asked.replaced(url)).toEqual(['ada', 'king']);
  });
});

describe('a link', () => {
  const first = exchange('GET https://x.example/people?q=ada', {
    json: { next: 'https://x.example/pages/tok3n"x' },
  });

  test('is replaced whole where a request has the text, and else word by word', () => {
    const requests = ['a/ada-king', 'b', 'c/eve-bond'].map((path) =>
      exchange(`GET https://x.example/${path}`),
    );
    const links = ['ada-king', 'eve-bond', 'bob-dean'].map((name) => {
      const texts = ['ada-king', 'eve-bond', 'bob-dean'];
      return marked(`https://x.example/${name}`, texts, requests);
    });
    expect(links).toEqual([
      'https://x.example/[ada-king]',
      'https://x.example/[eve-bond]',
      'https://x.example/[bob]-[dean]',
    ]);
  });

  test('is a text with the origin of a request', () => {
    const asked = new AskedUrls([first], said('ada'));
    expect(asked.isLink('https://x.example/other')).toBe(true);
    expect(asked.isLink('https://y.example/other')).toBe(false);
    expect(asked.isLink('other')).toBe(false);
  });

  test.each<[string, Partial<Exchange>]>([
    ['JSON', { json: { next: 'https://x.example/pages/token' } }],
    ['text', { text: 'see https://x.example/pages/token' }],
  ])('that an earlier response has as %s has none of the handler’s words', (_, response) => {
    const linked = exchange('GET https://x.example/pages/token');
    const source = exchange('GET https://x.example/people', response);
    expect(marked(linked.request, [], [source, linked])).toBe('GET https://x.example/[pages]/[token]');
    expect(marked(linked.request, [], [linked, source])).toBe('GET https://x.example/pages/token');
    const silent = exchange('GET https://x.example/people', { json: { next: null } });
    expect(marked(linked.request, [], [silent, linked])).toBe('GET https://x.example/pages/token');
  });
});
