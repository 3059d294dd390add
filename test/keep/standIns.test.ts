/** What stands in a kept event instead of the original. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { sampleEvent } from '../../tools/local/events.ts';
import { eventInside } from '../../tools/local/httpEvent.ts';
import { samlEvent } from '../support/wire.ts';
import { claimsOf, engine, type Kept, openId, plan } from './keeping.ts';

afterAll(() => engine.close());

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

describe('a stand-in', () => {
  test('is of the kind of its text', async () => {
    const claims = {
      email: 'ada.lovelace@example.org',
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: 'ALovelace42',
      oid: UUID.toUpperCase(),
      picture: 'https://images.example.org:8443/ada%20lovelace.png?size=2',
      employee: 'cn=Ada Lovelace,ou=People,dc=example,dc=org',
      birthdate: '1815-12-10',
      born: '1815-12-10T00:00:00Z',
      ipaddr: '203.0.113.77',
      ipaddr6: '2001:db8:85a3::8a2e:370:7334',
      phone_number: '+44 20 7946 0018',
      uidNumber: 48213,
      email_verified: true,
      acct: 1,
    };
    const kept = await plan('openidLoggedIn', openId(claims));
    expect(kept.blockers).toEqual([]);
    const made = claimsOf(kept.event);
    const [given, family] = [String(made.given_name), String(made.family_name)];
    const [first, last] = [given.toLowerCase(), family.toLowerCase()];
    expect(made.email).toMatch(new RegExp(`^${first}\\.${last}@\\w+\\.\\w+\\.example$`));
    expect(made.preferred_username).toMatch(new RegExp(`^[A-Z]${family}\\d\\d$`));
    expect(made.oid).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-9[0-9A-F]{3}-[0-9A-F]{12}$/);
    expect(made.picture).toMatch(
      new RegExp(`^https://[\\w.]+\\.example:\\d{4}/${first}%20${last}\\.\\w+\\?\\w+=\\d$`),
    );
    expect(Object.values(made)).toContainEqual(
      expect.stringMatching(`^cn=${given} ${family},ou=\\w+,dc=\\w+,dc=\\w+$`),
    );
    expect(made.birthdate).toMatch(/^19\d\d-\d\d-\d\d$/);
    expect(JSON.stringify(made)).not.toContain('1815');
    expect(Object.values(made)).toContainEqual(
      expect.stringMatching(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/),
    );
    expect(Object.values(made)).toContainEqual(expect.stringMatching(/^2001:db8::/));
    expect(made.phone_number).toMatch(/^\+\d\d \d\d \d{4} \d{4}$/);
    expect(Object.values(made)).toContainEqual(expect.any(Number));
    expect(Object.values(made)).not.toContain(48213);
    expect(made).toMatchObject({ email_verified: true, acct: 1 });
  });

  test('of a token agrees with its event', async () => {
    const entra = await sampleEvent('openidLoggedIn', 'entra');
    const kept = await plan('openidLoggedIn', entra);
    const { idToken, idTokenJwt, accessToken } = kept.event as Kept;
    const { otherClaims, aud, nonce, ...standard } = idToken as Record<string, unknown>;
    const payload = decodeJwt(String(idTokenJwt));
    expect(payload).toEqual({
      ...standard,
      ...(otherClaims as object),
      nonce: payload.nonce,
      aud: (aud as string[])[0],
    });
    expect(decodeProtectedHeader(String(idTokenJwt))).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    const original = eventInside(entra) as Kept;
    expect(idTokenJwt).not.toContain(String(original.idTokenJwt).split('.')[2]);
    expect(accessToken).not.toBe(original.accessToken);
  });

  test('has the times of the event, all moved by the same time into the past', async () => {
    const { assertion } = samlEvent();
    const kept = (await plan('samlLoggedIn', { assertion })).event as { assertion: typeof assertion };
    const times = (one: typeof assertion) => [
      one.assertionIssued,
      one.assertionConditions.conditionsNotOnOrAfter,
      one.assertionAuthnStatement.authnStatementInstant,
    ];
    const moves = times(kept.assertion).map(
      (time, index) => Date.parse(times(assertion)[index] ?? '') - Date.parse(time),
    );
    expect(new Set(moves).size).toBe(1);
    expect(moves[0]).toBeGreaterThanOrEqual(86_400_000);
  });

  test('of ten different digits, and of pictures, are different ones', async () => {
    const digits = Array.from('0123456789', (digit) => `d${digit} ${digit}`);
    const event = openId({
      email: 'ada@example.org',
      given_name: 'Ada 🦄',
      family_name: 'King',
      groups: digits,
      numbers: [2, 3, 4, 5, 6, 7, 8, 9],
    });
    const kept = await plan('openidLoggedIn', event);
    expect(kept.blockers).toEqual([]);
    const { groups, given_name, ...others } = claimsOf(kept.event);
    expect(new Set(groups as string[]).size).toBe(10);
    expect(given_name).not.toContain('🦄');
    const numbers = Object.values(others).find((value) => Array.isArray(value)) as unknown[];
    expect(numbers.every((number) => typeof number === 'number' && Number.isFinite(number))).toBe(true);
  });

  test('of an event with thousands of groups is there soon', async () => {
    const groups = Array.from({ length: 4_000 }, (_, index) => `/team-${index}/Group ${index * 7919}`);
    const begun = performance.now();
    const kept = await plan('openidLoggedIn', openId({ email: 'ada@example.org', name: 'Ada King', groups }));
    expect(kept.blockers).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('has nothing of an HTTP envelope', async () => {
    const http = await sampleEvent('openidLoggedIn', 'http-api-v2');
    const kept = await plan('openidLoggedIn', http);
    expect(Object.keys(kept.event as object)).toEqual(Object.keys(eventInside(http) as object));
  });

  test.each([300, 320, 321])(
    'of an address of %i characters is taken or refused as the address is',
    async (length) => {
      const address = `ada@${'lovelace.'.repeat(40)}`.slice(0, length - 4).replace(/[@.]$/, 'x');
      const kept = await plan('openidLoggedIn', openId({ email: `${address}.org`, name: 'Ada King' }));
      expect(kept.blockers).toEqual([]);
      expect(kept.expected?.answer.type).toBe(length > 320 ? 'ErrorResponse' : 'AuthorizedUserResponse');
    },
  );

  test.each([199, 200, 201, 260])('of a name of %i characters is cut as the name is', async (length) => {
    const given = `Ada ${'Lovelace '.repeat(40)}`.slice(0, length).replace(/ $/, 'x');
    const kept = await plan(
      'openidLoggedIn',
      openId({ email: 'ada@example.org', given_name: given, family_name: 'King' }),
    );
    expect(kept.blockers).toEqual([]);
  });
});
