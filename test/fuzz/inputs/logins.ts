/** Logins of one person, each with the mapping that decides it. */
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';

export type Mapping = Readonly<Record<string, unknown>>;
export type Claims = Readonly<Record<string, unknown>>;
/** Each value is an attribute of its own. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

export const STAFF_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
export const EDITORS_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';

/** The events themselves have these. */
export const OPENID_ISSUER = 'https://idp.example.org';
export const SAML_ISSUER = 'https://idp.example.org/saml';

const NAMES = {
  email: 'urn:oid:0.9.2342.19200300.100.1.3',
  given_name: 'urn:oid:2.5.4.42',
  family_name: 'urn:oid:2.5.4.4',
  name: 'urn:oid:2.16.840.1.113730.3.1.241',
} as const;

/** @param claims beside a name and an address, or in their place; undefined takes one away */
export function openIdLogin(mapping: Mapping, claims: Claims, issuer = OPENID_ISSUER) {
  const event = openIdEvent();
  event.tokenType = `mapping:${JSON.stringify(mapping)}`;
  event.idToken.iss = issuer;
  Object.assign(event.idToken.otherClaims, claims);
  return event;
}

/** @param attributes beside a name and an address, or in their place; the four of a person by the names of their claims */
export function samlLogin(mapping: Mapping, attributes: Attributes, issuer = SAML_ISSUER) {
  const given = { email: ['ada@example.org'], given_name: ['Ada'], family_name: ['Lovelace'], ...attributes };
  const names = new Map<string, string>(Object.entries(NAMES));
  const event = samlEvent(
    Object.entries(given).flatMap(([name, values]) =>
      values.map((value) => attribute(names.get(name) ?? name, value)),
    ),
  );
  event.assertion.assertionIssuer = issuer;
  event.assertion.assertionAuthnStatement.authnStatementSessionIndex = `mapping:${JSON.stringify(mapping)}`;
  return event;
}

/** Claims as attributes: each text of one is a value. */
export function attributesOf(claims: Claims): Attributes {
  const valuesOf = (claim: unknown) => (claim === undefined ? [] : [claim].flat().map(String));
  return Object.fromEntries(Object.entries(claims).map(([name, claim]) => [name, valuesOf(claim)]));
}
