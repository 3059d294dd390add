/** The event that the service would send out of a real login: golden events, real logins, and whatever a provider may send. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { type IdToken, OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { type ParsedAssertion, parsedAssertion } from '../../tools/capture/parsedAssertion.ts';
import { type OpenIdLogin, serviceEvents } from '../../tools/capture/serviceEvent.ts';
import { ASSERTION, parseXml } from '../../tools/capture/xml.ts';
import { EVENTS } from '../../tools/local/events.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const URI = 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri';
const BASIC = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';
const ROLES = ['offline_access', 'uma_authorization', 'staff', 'default-roles-campus', 'manage-account'];

/** With all fields, those too that an event may leave out. */
type OpenIdServiceEvent = Required<v.InferInput<typeof OpenIdUserLoggedInEvent>> & {
  idToken: Required<v.InferInput<typeof IdToken>>;
};
type SamlServiceEvent = v.InferInput<typeof SamlUserLoggedInEvent>;

function sample<TEvent>(name: string): TEvent {
  return JSON.parse(readFileSync(join(EVENTS, `${name}.json`), 'utf8'));
}

function attribute(name: string, values: string[], friendlyName?: string, nameFormat = URI) {
  return { name, friendlyName, nameFormat, values };
}

/** As Keycloak makes it: `Role` has five values in one Attribute. */
function assertion(changes: Partial<ParsedAssertion> = {}): ParsedAssertion {
  return {
    id: '_f04e3291655b9589d68304819b3aee139465b41a',
    issueInstant: '2026-11-21T11:00:00.123000+01:00',
    issuer: 'https://sso.example.edu/realms/campus',
    nameId: {
      value: 'G-5e9c1d7a-30f4-4b0c-8c8e-5b8f2d1a9e77',
      format: TRANSIENT,
      nameQualifier: undefined,
      spNameQualifier: 'https://app.example.net/saml/metadata',
      spProvidedId: undefined,
    },
    confirmations: [
      {
        method: BEARER,
        address: undefined,
        notOnOrAfter: '2026-11-21T10:01:00.123Z',
        recipient: 'https://app.example.net/saml/acs',
      },
    ],
    conditions: {
      notBefore: '2026-11-21T09:59:58Z',
      notOnOrAfter: '2026-11-21T10:01:00.123Z',
      audienceRestrictions: [['https://app.example.net/saml/metadata']],
    },
    authnStatement: {
      instant: '2026-11-21T10:00:00.1200000Z',
      sessionIndex: 'f04e3291655b9589d68304819b3aee13',
      address: undefined,
    },
    attributes: [
      attribute('urn:oid:1.2.840.113549.1.9.1', ['katherine.johnson@example.edu'], 'email'),
      attribute('urn:oid:2.5.4.42', ['Katherine'], 'givenName'),
      attribute('urn:oid:2.5.4.4', ['Johnson'], 'surname'),
      attribute('Role', ROLES, undefined, BASIC),
    ],
    ...changes,
  };
}

/** What openid-client returns for the tokens of an event. */
function loginOf({ accessToken, idTokenJwt, expiresIn }: OpenIdServiceEvent): OpenIdLogin {
  const tokens = {
    access_token: accessToken,
    token_type: 'bearer',
    id_token: idTokenJwt,
    expires_in: expiresIn,
  };
  return { tokens, claims: decodeJwt(idTokenJwt) };
}

describe('the known form', () => {
  const known = (changes: Partial<ParsedAssertion> = {}) =>
    serviceEvents({ assertion: assertion(changes) }).events?.known;

  test('of a login with OpenID Connect is that of the sample', () => {
    const golden = sample<OpenIdServiceEvent>('openidLoggedIn/service-form');
    expect(serviceEvents(loginOf(golden)).events?.known).toEqual(golden);
  });

  test('of a login with SAML is that of the sample', () => {
    expect(known()).toEqual(sample('samlLoggedIn/service-form'));
  });

  test.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
    ['2026-11-21T10:00:00.1Z', '2026-11-21T10:00:00.100Z'],
    ['2026-11-21T10:00:00.1234567Z', '2026-11-21T10:00:00.123456700000Z'],
    ['2026-11-21T10:00:00.1234567890123Z', '2026-11-21T10:00:00.123456789012Z'],
    ['2026-11-21T00:30:00.5+02:00', '2026-11-20T22:30:00.500Z'],
  ])('writes %s as %s', (issueInstant, written) => {
    expect(known({ issueInstant })).toMatchObject({ assertion: { assertionIssued: written } });
  });

  test.each([
    ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'Persistent'],
    ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'EmailAddress'],
    ['urn:example:other', 'urn:example:other'],
    [undefined, null],
  ])('writes the NameID format %s as %s', (format, written) => {
    const { nameId } = assertion();
    const event = known({ nameId: nameId && { ...nameId, format } });
    const subjectNameID = { nameIDFormat: written };
    expect(event).toMatchObject({ assertion: { assertionSubject: { subjectNameID } } });
  });
});

describe('the plain form', () => {
  test('of the tokens of a login is the sample', () => {
    const golden = sample<OpenIdServiceEvent>('openidLoggedIn/orcid');
    const { refreshToken, tokenType } = golden;
    const { tokens, claims } = loginOf(golden);
    const more = { token_type: tokenType, refresh_token: `${refreshToken}` };
    expect(serviceEvents({ tokens: { ...tokens, ...more }, claims }).events?.plain).toEqual(golden);
  });

  test('of an assertion has one entry for each value, and what was sent', () => {
    const { assertion: staff } = sample<SamlServiceEvent>('samlLoggedIn/keycloak-staff');
    const { plain } = serviceEvents({ assertion: assertion() }).events ?? {};
    const { assertion: made } = plain as SamlServiceEvent;
    expect(made.assertionAttributeStatement).toEqual(staff.assertionAttributeStatement);
    const subjectConfirmationNotOnOrAfter = '2026-11-21T10:01:00.123Z';
    const confirmations = staff.assertionSubject.subjectConfirmations.map((one) => ({
      ...{ ...one, subjectConfirmationNotOnOrAfter },
    }));
    expect(made.assertionSubject.subjectConfirmations).toEqual(confirmations);
    expect(made.assertionIssued).toBe('2026-11-21T11:00:00.123000+01:00');
    expect(made.assertionSubject.subjectNameID.nameIDFormat).toBe(TRANSIENT);
  });
});

describe('a token response', () => {
  const login = loginOf(sample('openidLoggedIn/service-form'));
  const made = (tokens: object, claims: object = {}) =>
    serviceEvents({ tokens: { ...login.tokens, ...tokens }, claims: { ...login.claims, ...claims } });

  test.each([
    [{ expires_in: undefined }, {}, { expiresIn: 300 }],
    [{ expires_in: 59.6 }, {}, { expiresIn: 60 }],
    [{ token_type: 'DPoP' }, {}, { tokenType: 'DPoP' }],
    [{}, { exp: 1795255500.7, iat: 1795255200.2 }, { idToken: { exp: 1795255501, iat: 1795255200 } }],
    [{}, { aud: ['a', 'b'] }, { idToken: { aud: ['a', 'b'] } }],
    [{}, { nonce: undefined }, { idToken: { nonce: null } }],
  ])('%j with claims %j gives %j', (tokens, claims, event) => {
    expect(made(tokens, claims)).toMatchObject({ events: { plain: event }, problems: [] });
  });

  test.each([
    [{ id_token: undefined }, {}, 'idTokenJwt: expected a string'],
    [{}, { exp: 'tomorrow' }, 'idToken.exp: expected an integer'],
  ])('%j with claims %j is refused', (tokens, claims, message) => {
    expect(made(tokens, claims)).toEqual({ events: null, problems: [message] });
  });
});

test.each<[Partial<ParsedAssertion>, string]>([
  [{ authnStatement: undefined }, 'AuthnStatement.authnStatementInstant: expected a date-time'],
  [{ nameId: undefined }, 'Subject.subjectNameID.nameIDValue: expected a string'],
  [{ issueInstant: '2026-11-21T24:00:00Z' }, 'Issued: expected a date-time'],
])('an assertion that no event can express is refused: %j', (changes, message) => {
  const problems = [`assertion.assertion${message}`];
  expect(serviceEvents({ assertion: assertion(changes) })).toEqual({ events: null, problems });
});

test('an element inside a value is its text', () => {
  const nested =
    '<AttributeValue>\n <NameID NameQualifier="q">opaque-1</NameID>\n</AttributeValue><AttributeValue/>';
  const attributes = `<AttributeStatement><Attribute Name="n">${nested}</Attribute></AttributeStatement>`;
  const statement = parseXml(`<Assertion xmlns="${ASSERTION}">${attributes}</Assertion>`, 'the assertion');
  expect(parsedAssertion(statement).attributes).toEqual([
    { name: 'n', friendlyName: undefined, nameFormat: undefined, values: ['opaque-1', ''] },
  ]);
});

describe('whatever a provider sends', () => {
  const text = fc.string();
  const maybe = fc.option(text, { nil: undefined });
  const time = fc.constantFrom('2026-11-21T10:00:00.5+14:00', '2026-02-30T00:00:00Z', '0001-01-02T00:00:00Z');

  /** A login with something else in the place of one of its leaves. */
  function withLeaf<TLogin>(login: TLogin, leaf: number, value: unknown): TLogin {
    let count = 0;
    const replaced = (one: unknown): unknown => {
      if (Array.isArray(one)) return one.map(replaced);
      if (typeof one !== 'object' || one === null) return count++ === leaf ? value : one;
      return Object.fromEntries(Object.entries(one).map(([key, inside]) => [key, replaced(inside)]));
    };
    return replaced(login) as TLogin;
  }

  test.each([
    ['OpenID', OpenIdUserLoggedInEvent, loginOf(sample('openidLoggedIn/service-form')), fc.jsonValue()],
    ['SAML', SamlUserLoggedInEvent, { assertion: assertion() }, fc.oneof(text, time)],
  ])('events of %s are valid in both forms, or there is a problem', (_, schema, login, values) => {
    fc.assert(
      fc.property(fc.nat(60), values, (leaf, value) => {
        const changed =
          'claims' in login
            ? { ...login, claims: withLeaf(login.claims, leaf, value) }
            : withLeaf(login, leaf, value);
        const { events, problems } = serviceEvents(changed);
        expect(events === null).toBe(problems.length > 0);
        expect(Object.values(events ?? {}).filter((event) => !v.is(schema, event))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('no time, claim or value of a complete login is lost', () => {
    const complete = fc.record({
      issueInstant: fc.constant('2026-11-21T11:00:00.1239+01:00'),
      attributes: fc.array(
        fc.record({ name: text, friendlyName: maybe, nameFormat: maybe, values: fc.array(text) }),
      ),
    });
    fc.assert(
      fc.property(
        complete,
        fc.dictionary(
          text.filter((name) => name !== '__proto__'),
          fc.jsonValue(),
        ),
        (changes, claims) => {
          const parsed = assertion(changes);
          const { events } = serviceEvents({ assertion: parsed });
          const [plain, known] = Object.values(events ?? {}).map((event) =>
            v.parse(SamlUserLoggedInEvent, event),
          );
          expect(known?.assertion.issued).toEqual(plain?.assertion.issued);
          expect(plain?.assertion.attribute_statement.map(({ value }) => value)).toEqual(
            parsed.attributes.flatMap(({ values }) => values),
          );
          expect(known?.assertion.attribute_statement.map(({ value }) => value)).toEqual(
            parsed.attributes.map(({ values }) => values.join('')),
          );
          const login = loginOf(sample('openidLoggedIn/service-form'));
          const ofToken = { ...claims, ...login.claims };
          const { known: event } = serviceEvents({ ...login, claims: ofToken }).events ?? {};
          const otherClaims = { ...ofToken, aud: [login.claims.aud].flat() };
          expect(event?.idToken).toHaveProperty('otherClaims', otherClaims);
        },
      ),
    );
  });
});
