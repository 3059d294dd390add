/** The contract of events: each field has its name for handlers; one that is missing, or of another type, is refused or has its default. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { IdToken, OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../lib/saml/model.ts';
import { isJsonObject, problemsOf } from '../lib/schema.ts';
import { attribute, openIdEvent, samlEvent } from './support/wire.ts';

const IDP = 'https://idp.example.org';
const APP = 'https://app.example.net';
const ISSUED = new Date('2026-11-21T10:00:00Z');
const END = new Date('2026-11-21T10:05:00Z');

function problems(schema: v.GenericSchema, input: unknown): string[] {
  const result = v.safeParse(schema, input);
  return result.success ? [] : problemsOf(result.issues);
}

test('a handler gets an OpenID event with the attributes of the contract and no others', () => {
  const { idToken, ...event } = openIdEvent();
  const sent = { ...event, idToken: { ...idToken, unknown: 1 }, unknown: 1 };
  expect(v.parse(OpenIdUserLoggedInEvent, sent)).toStrictEqual({
    access_token: 'access-token-1',
    token_type: 'Bearer',
    id_token: {
      iss: IDP,
      sub: 'subject-1',
      aud: ['client-1'],
      exp: 1795258800,
      iat: 1795255200,
      nonce: 'nonce-1',
      other_claims: { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' },
    },
    id_token_jwt: 'header.payload.signature',
    expires_in: 3600,
    refresh_token: 'refresh-token-1',
  });
});

test('a handler gets a SAML event with the attributes of the contract and no others', () => {
  const { assertion } = samlEvent([attribute('urn:oid:2.5.4.42', 'Ada', 'givenName')]);
  const sent = { assertion: { ...assertion, unknown: 1 }, unknown: 1 };
  expect(v.parse(SamlUserLoggedInEvent, sent)).toStrictEqual({
    assertion: {
      id: '_assertion-1',
      issued: ISSUED,
      issuer: `${IDP}/saml`,
      subject: {
        confirmations: [
          {
            method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
            address: '',
            notOnOrAfter: END,
            recipient: `${APP}/saml/acs`,
          },
        ],
        name_id: {
          qualifier: null,
          sp_name_qualifier: null,
          sp_provided_id: null,
          format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
          value: '_name-id-1',
        },
      },
      conditions: {
        no_before: new Date('2026-11-21T09:59:58Z'),
        not_on_or_after: END,
        audience_restrictions: [{ audience: [`${APP}/saml/metadata`] }],
      },
      authn_statement: { instant: ISSUED, session_index: 'session-1', locality: '' },
      attribute_statement: [
        {
          name: 'urn:oid:2.5.4.42',
          friendly_name: 'givenName',
          name_format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
          value: 'Ada',
        },
      ],
    },
  });
});

test('what a provider need not send is null, or no claims', () => {
  const { refreshToken: _, ...event } = openIdEvent();
  const { nonce: __, otherClaims: ___, ...idToken } = event.idToken;
  const { refresh_token, id_token } = v.parse(OpenIdUserLoggedInEvent, { ...event, idToken });
  expect([refresh_token, id_token.nonce, id_token.other_claims]).toEqual([null, null, {}]);
});

/** By what is said of a field: what it takes. */
const TAKES: Record<string, (value: unknown) => boolean> = {
  'expected a string': (value) => typeof value === 'string',
  'expected a string or null': (value) => typeof value === 'string' || value === null,
  'expected an integer': Number.isInteger,
  'expected a date-time': () => false,
  'expected an array': Array.isArray,
  'expected an object': (value) => String(value) === '[object Object]',
};
const VALUES = [null, 'text', 0, 1.5, NaN, Infinity, true, [], ['text'], {}, new Date(0), Symbol.iterator];
const MAY_BE_NULL = /^(?:nonce|refreshToken|attributeFriendlyName|nameID(?!Value).*)$/;
const MAY_BE_MISSING = /^(?:nonce|refreshToken|otherClaims)$/;

type Path = (string | number)[];

/** What is expected of the field of this name, by the value that it has in a good event. */
function expectedOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return 'expected an array';
  if (isJsonObject(value)) return 'expected an object';
  if (typeof value === 'number') return 'expected an integer';
  if (MAY_BE_NULL.test(name)) return 'expected a string or null';
  return /^\d{4}-\d\d-/.test(String(value)) ? 'expected a date-time' : 'expected a string';
}

/** Every field of an event, with its path; the claims of a provider are of any type. */
function fieldsOf(value: unknown, path: Path = []): [path: Path, expected: string][] {
  const name = String(path.at(-1));
  const own: [Path, string] = [path, expectedOf(name, value)];
  if (Object(value) !== value || name === 'otherClaims') return [own];
  const keyOf = (key: string) => (Array.isArray(value) ? Number(key) : key);
  const parts = Object.entries(value as object);
  return [own, ...parts.flatMap(([key, part]) => fieldsOf(part, [...path, keyOf(key)]))];
}

describe.each<[string, v.GenericSchema, () => object]>([
  ['OpenID', OpenIdUserLoggedInEvent, openIdEvent],
  ['SAML', SamlUserLoggedInEvent, () => samlEvent([attribute('mail', 'ada@example.org')])],
])('in an event of %s,', (_, schema, eventOf) => {
  /** What is said of the event with this value at a path; undefined: without the field. */
  function problemsWith(path: Path, value: unknown): string[] {
    const root = { event: eventOf() };
    const keys: Path = ['event', ...path];
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at, key) => at[key] as never, root as Record<Path[0], unknown>);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
    return problems(schema, root.event);
  }

  test.each(fieldsOf(eventOf()))('%j: %s', (path, expected) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const problem = `${place.slice(1)}${place && ': '}${expected}`;
    for (const value of VALUES) {
      const isTaken = TAKES[expected]?.(value);
      // Its parts are fields of their own.
      if (isTaken && Object(value) === value) continue;
      expect([value, problemsWith(path, value)]).toEqual([value, isTaken ? [] : [problem]]);
    }
    const name = path.at(-1);
    if (typeof name !== 'string') return;
    expect(problemsWith(path, undefined)).toEqual(MAY_BE_MISSING.test(name) ? [] : [`${problem} (missing)`]);
  });
});

describe('other claims', () => {
  const claimsOf = (json: string) => {
    const token = { ...openIdEvent().idToken, otherClaims: JSON.parse(json) };
    return v.parse(IdToken, token).other_claims;
  };

  test('a key named __proto__ is no claim and changes no prototype', () => {
    const claims = claimsOf('{"__proto__":{"email":"eve@example.org"},"address":{"__proto__":{"x":1}}}');
    expect(Object.keys(claims)).toEqual(['address']);
    expect(claims.email).toBeUndefined();
    expect((claims.address as Record<string, unknown>).x).toBeUndefined();
    expect(JSON.stringify(claims)).toBe('{"address":{"__proto__":{"x":1}}}');
  });

  test('may be nested, but not without end', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(claimsOf(nested(100))).toBeDefined();
    expect(() => claimsOf(nested(101))).toThrow('expected at most 100 levels of nesting');
    const lists = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(() => claimsOf(lists)).toThrow('expected at most 100 levels of nesting');
  });
});

test('a list has many items, but not without end', () => {
  const event = openIdEvent();
  event.idToken.aud = Array(20_000).fill('client-1');
  expect(problems(OpenIdUserLoggedInEvent, event)).toEqual([]);
  event.idToken.aud.push('client-1');
  expect(problems(OpenIdUserLoggedInEvent, event)).toEqual(['idToken.aud: expected at most 20000 items']);
});

test('problems are at most 20, however much is wrong', () => {
  const event = samlEvent();
  event.assertion.assertionAttributeStatement = Array(20_000).fill({ attributeName: 1 });
  expect(problems(SamlUserLoggedInEvent, event)).toHaveLength(20);
});
