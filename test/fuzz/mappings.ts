/** The functions for callers that sign their requests, and logins of one person, each with the mapping that decides it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret, signed } from '../support/signedRequest.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { attribute, openIdEvent, overHttp, samlEvent } from '../support/wire.ts';
import { type Login, loadFunctions } from './functions.ts';

const signing = newSecret();
const SECRETS_FILE = join(temporaryFolder(), 'secrets.json');
writeFileSync(SECRETS_FILE, JSON.stringify({ signing }));

export const { openId, saml } = await loadFunctions({
  OPENID_HANDLER_MODULE: 'handlers/fuzzed',
  SAML_HANDLER_MODULE: 'handlers/fuzzed',
  CALLER_CHECK: 'signature',
  SIGNING_SECRET_ID: 'signing',
  SECRETS_FILE,
});

export type Mapping = Readonly<Record<string, unknown>>;
export type Claims = Readonly<Record<string, unknown>>;

/** The events themselves have these. */
export const OPENID_ISSUER = 'https://idp.example.org';
export const SAML_ISSUER = 'https://idp.example.org/saml';

/** Of the attributes that have other names than the claims. */
const NAMES = new Map([
  ['email', 'urn:oid:0.9.2342.19200300.100.1.3'],
  ['given_name', 'urn:oid:2.5.4.42'],
  ['family_name', 'urn:oid:2.5.4.4'],
  ['name', 'urn:oid:2.16.840.1.113730.3.1.241'],
  ['eduperson_scoped_affiliation', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9'],
  ['eduperson_assurance', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.11'],
]);

/** @param claims beside a name and an address, or in their place; undefined takes one away */
export function openIdLogin(mapping: Mapping, claims: Claims, issuer = OPENID_ISSUER) {
  const event = openIdEvent();
  event.tokenType = `mapping:${JSON.stringify(mapping)}`;
  event.idToken.iss = issuer;
  Object.assign(event.idToken.otherClaims, claims);
  return event;
}

/** The same person: each text of a claim is an attribute, and rules about claims are about attributes. */
function samlLogin(mapping: Mapping, claims: Claims, issuer = SAML_ISSUER) {
  const all = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace', ...claims };
  const event = samlEvent(
    Object.entries(all)
      .filter(([, claim]) => claim !== undefined)
      .flatMap(([name, claim]) =>
        [claim].flat().map((value) => attribute(NAMES.get(name) ?? name, String(value))),
      ),
  );
  const ofAttributes = JSON.stringify(mapping).replace(
    /"claim":"([^"]*)"/g,
    (_, name) => `"attribute":"${NAMES.get(name) ?? name}"`,
  );
  event.assertion.assertionIssuer = issuer;
  event.assertion.assertionAuthnStatement.authnStatementSessionIndex = `mapping:${ofAttributes}`;
  return event;
}

/** Logins of the same person by each kind. */
export async function both(mapping: Mapping, claims: Claims, issuer?: string): Promise<Login[]> {
  return [await openId(openIdLogin(mapping, claims, issuer)), await saml(samlLogin(mapping, claims, issuer))];
}

export function signedRequest(text: string, isBase64Encoded: boolean) {
  const body = isBase64Encoded ? Buffer.from(text).toString('base64') : text;
  return overHttp(body, { isBase64Encoded, headers: signed(text, { secret: signing }) });
}
