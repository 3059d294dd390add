/** The stand-in of a login: what of a response is a substitute, what the handler wrote, and where something was replaced. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { Path } from '../../tools/keep/leaves.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import { Substitution } from '../../tools/keep/substitution.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { openIdEvent } from '../support/wire.ts';
import { COLLIDING, MET } from './collision.ts';

type Event = ReturnType<typeof openIdEvent>;

function substitution(otherClaims: Record<string, unknown>, more: Partial<Event> = {}, json: unknown = null) {
  const event = { ...openIdEvent(), ...more };
  event.idToken.otherClaims = otherClaims;
  const exchanges = [
    { request: 'GET https://x.example/people/Adaq', status: 200, headers: {}, json },
  ] as Exchange[];
  const known = { issuer: event.idToken.iss, mapping: mappingTexts(null, OPENID_NAMES) };
  const made = new Substitution({ event, exchanges }, known);
  return { made, claims: claimsOf(made.event), json: made.exchanges[0]?.json as Record<string, unknown> };
}

function claimsOf(event: unknown): Record<string, string> {
  return (event as Event).idToken.otherClaims as Record<string, string>;
}

describe('of a text of the response,', () => {
  const LONG = `Adaq ${'Lovelaqe '.repeat(40)}`;
  const time = '2026-11-21T10:00:00Z';
  const { made, claims } = substitution({
    ...{
      email: 'adaq@quxen.example',
      given_name: 'Adaq',
      family_name: ' Lovelaqe\t',
      locale: 'Fr\u0007anq \u0007',
    },
    ...{ nickname: `${LONG} `, zoneinfo: ` ${time}`, website: `\u0007${LONG}`, gender: 'true' },
  });
  const { given_name = '', nickname = '', zoneinfo = '', website = '', locale = '', email = '' } = claims;
  const family = String(claims.family_name).trim();

  test.each<[string, string, string]>([
    ['a text of the event', 'Adaq', given_name],
    ['with white space around it', ' Adaq', `${given_name} `],
    ['without the white space of the event', 'Lovelaqe', family],
    ['a time of the login', `${time} `, zoneinfo],
    ['words of several texts', 'Adaq Lovelaqe', `${given_name} ${family}`],
    ['a text that stays', 'true', 'true'],
    ['a text of the handler', 'Welcome.', 'Welcome.'],
    ['without what cannot be shown', 'Franq', shown(locale)],
    ['without that, with white space around it', ' Franq', `${shown(locale)} `],
    ['cut', cut(LONG), cut(nickname)],
    ['cut, with the white space at its end', cut(LONG).trim(), cut(nickname)],
    ['cut, without what cannot be shown', cut(LONG), cut(website.slice(1))],
    ['long', LONG, nickname.trim()],
    ['long, with other white space around it', ` ${LONG}`, nickname],
    ['an address', 'adaq@quxen.example', email],
  ])('%s is substituted', (_, before, after) => {
    expect(made.isSubstituted(before, after)).toBe(true);
  });

  test.each<[string, string, string]>([
    ['a text of the event that is as it was', 'Adaq', 'Adaq'],
    ['the stand-in of another text', 'Adaq', family],
    ['a text of the handler that is another one', 'Welcome.', 'Hello.'],
    ['the stand-in of another text, cut', cut(LONG), given_name],
    ['the stand-in of another text, shown', 'Franq', given_name],
    ['nothing', '', 'Adaq'],
  ])('%s is not', (_, before, after) => {
    expect(made.isSubstituted(before, after)).toBe(false);
  });

  test('what the event does not say is the handler’s', () => {
    expect(['Adaq', ' Lovelaqe', 'true', 'Welcome.', 'Adaq!'].map((text) => made.isHandlers(text))).toEqual([
      ...[false, false, false],
      ...[true, true],
    ]);
  });

  function shown(text: string): string {
    return text.replaceAll('\u0007', '').trim();
  }

  function cut(text: string): string {
    return Array.from(text).slice(0, 200).join('');
  }
});

test('a URL that is asked is looked at without the words of the handler', () => {
  const { made } = substitution({ given_name: 'Adaq', family_name: 'Kinq' });
  const words = (text: string) => made.withoutHandlersWords(text);
  expect(words('https://x.example/people/Adaq/x')).toBe('x Adaq');
  expect(words('https://y.example/people/Adaq')).toBe('https://y.example/people/Adaq');
  expect(words('people')).toBe('people');
});

test('each reason to stay is told once, with its text', () => {
  const { made } = substitution({ email_verified: 'true', a: 'true', b: ' ', c: 'ada#EXT#' });
  expect(made.stays).toEqual([
    { text: 'Bearer', why: 'the type of the token', isPart: false },
    { text: 'https://idp.example.org', why: 'the issuer', isPart: false },
    { text: 'email_verified', why: 'the name of a claim, out of a standard or the mapping', isPart: false },
    { text: 'true', why: 'a boolean', isPart: false },
    { text: '#EXT#', why: "Entra's sign of a guest", isPart: true },
    { text: '3600', why: 'the lifetime of the access token, in seconds', isPart: false },
    { text: 'https://x.example', why: 'a system that the handler asks', isPart: true },
  ]);
});

describe('the place of a text', () => {
  const data = { 'xq-7711': [{ nickname: 'Qinetiqs' }] };
  const token = [{ alg: 'none', 'xq-7711': 'x' }, data]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const { made, json } = substitution(
    { ...data, email_verified: 'true' },
    { idTokenJwt: `${token}.AAAA` },
    data,
  );
  const key = Object.keys(json)[0] ?? '';

  test.each<[string, Path, Path]>([
    [
      'in the event',
      ['idToken', 'otherClaims', 'xq-7711', 0, 'nickname'],
      ['idToken', 'otherClaims', key, 0, 'nickname'],
    ],
    [
      'in a response',
      ['outside', 0, 'json', 'xq-7711', 0, 'nickname'],
      ['outside', 0, 'json', key, 0, 'nickname'],
    ],
    ['in a token', ['idTokenJwt', 'payload', 'xq-7711', 0], ['idTokenJwt', 'payload', key, 0]],
    ['in the header of a token', ['idTokenJwt', 'header', 'xq-7711'], ['idTokenJwt', 'header', key]],
  ])('%s is shown with the keys that are kept', (_, path, shown) => {
    expect(key).not.toMatch(/^$|xq|7711/);
    expect(made.shownPath(path)).toEqual(shown);
  });

  test('is that of what was replaced, a key or a value', () => {
    const paths = made.replacedPaths.map((path) => path.join('.'));
    expect(paths.filter((path) => path.startsWith('idToken.otherClaims'))).toEqual([
      'idToken.otherClaims.xq-7711',
      'idToken.otherClaims.xq-7711.0.nickname',
    ]);
    expect(paths.filter((path) => path.startsWith('outside'))).toEqual([
      'outside.0.json.xq-7711',
      'outside.0.json.xq-7711.0.nickname',
    ]);
    expect(paths).not.toContain('idToken.iss');
  });

  test('can be restored alone', () => {
    const { event, exchanges } = made.restored(['outside', 0, 'json', 'xq-7711', 0, 'nickname']);
    expect(event).toEqual(made.event);
    expect(exchanges[0]?.json).toEqual({ [key]: [{ nickname: 'Qinetiqs' }] });
    expect(made.restored(['idToken', 'sub']).event).toEqual({
      ...(made.event as Event),
      idToken: { ...(made.event as Event).idToken, sub: 'subject-1' },
    });
  });
});

describe('a word is found inside others, if it is', () => {
  /** By chance, stand-ins may meet in a word of the original: then others are made. */
  function withoutCollision(...args: Parameters<typeof substitution>) {
    for (;;) {
      const one = substitution(...args);
      if (!one.made.hasCollided) return one;
    }
  }

  test('a text of the event', () => {
    const { claims } = withoutCollision({ given_name: 'adaq', nickname: 'kinqadaq' });
    expect(claims.nickname).toContain(claims.given_name);
  });

  test('a number of the event', () => {
    const { claims } = withoutCollision({ birthdate: 4_711_815, nickname: 'kinq4711815' });
    expect(claims.nickname).toContain(String(claims.birthdate));
  });

  test('a text of a response', () => {
    const { claims, json } = withoutCollision({ nickname: 'kinqlovelaqe' }, {}, { family_name: 'lovelaqe' });
    expect(claims.nickname).toContain(json.family_name);
  });

  test('a text of a token', () => {
    const accessToken = MET.join('.');
    expect(substitution({ nickname: COLLIDING }, { accessToken }).made.hasCollided).toBe(true);
    expect(substitution({ nickname: COLLIDING }).made.hasCollided).toBe(false);
  });
});
