/** What an assertion says of its e-mail addresses, beside what SAML itself knows. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { decisionOf } from '../../lib/profile/decision.ts';
import {
  MappingInvalid,
  type OpenIdMappingAtOnce,
  type SamlMapping,
} from '../../lib/profile/mappingSchema.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

const ISSUER = samlEvent().assertion.assertionIssuer;

function eventWith(...attributes: ReturnType<typeof attribute>[]) {
  const wire = samlEvent();
  wire.assertion.assertionAttributeStatement.push(...attributes);
  return v.parse(SamlUserLoggedInEvent, wire);
}

function reasonOf(mapping: SamlMapping, ...values: string[]) {
  const attributes = values.map((value) => attribute('emailVerified', value));
  return decisionOf(mapSamlLogin(mapping)(eventWith(...attributes)))?.reason;
}

test.each([
  ['emailVerified', 'false', false],
  ['email_verified', 'FALSE', false],
  ['EMAILVERIFIED', ' 0 ', false],
  ['emailVerified', 'true', true],
  ['emailVerified', '', true],
  ['emailVerified', 'perhaps', false],
  ['emailVerified', 'falsefalse', false],
  ['emailVerified', 'truetrue', true],
  ['verified', 'false', true],
  ['http://schemas.auth0.com/email_verified', 'false', false],
  ['http://wso2.org/claims/identity/emailVerified', 'False', false],
  ['urn:example:attribute#EMAIL_VERIFIED', 'no', false],
  ['urn:example:emailverified', 'true', true],
  ['urn:example:x-email_verified', 'false', true],
  ['email_verified/at', 'false', true],
])('an address beside %s=%j is used: %p', (name, value, isUsed) => {
  for (const said of [attribute(name, value), attribute('urn:x', value, name)]) {
    expect(handleSamlUserLoggedIn(eventWith(said)).type).toBe(
      isUsed ? 'AuthorizedUserResponse' : 'ErrorResponse',
    );
  }
});

test('one "false" among several counts, and marks the NameID too', () => {
  expect(reasonOf({}, 'true', 'false')).toBe('email_unverified');
  const wire = samlEvent([attribute('cn', 'Ada Lovelace'), attribute('emailVerified', 'false')]);
  Object.assign(wire.assertion.assertionSubject.subjectNameID, {
    nameIDFormat: 'emailAddress',
    nameIDValue: 'ada@example.org',
  });
  expect(decisionOf(handleSamlUserLoggedIn(v.parse(SamlUserLoggedInEvent, wire)))?.reason).toBe(
    'email_unverified',
  );
});

describe('a mapping', () => {
  const demanding = (trust_email_verified: boolean): SamlMapping => ({
    email: { unverified: 'demand_proof' },
    issuers: { [ISSUER]: { trust_email_verified } },
  });

  test('accepts what is said to be unverified, where it says so', () => {
    expect(reasonOf({ email: { unverified: 'accept' } }, 'false')).toBe('authorized');
  });

  test('takes "true" as proof of an issuer that it trusts to say so', () => {
    expect(reasonOf(demanding(true), 'true')).toBe('authorized');
    expect(reasonOf(demanding(true), '1')).toBe('authorized');
    expect(reasonOf(demanding(true), 'truetrue')).toBe('authorized');
    expect(reasonOf(demanding(true), 'true', 'perhaps')).toBe('email_unverified');
    expect(reasonOf(demanding(true), 'false')).toBe('email_unverified');
    expect(reasonOf(demanding(true))).toBe('email_unverified');
  });

  test('is refused where it demands proof and trusts nobody to give it', () => {
    const path = `issuers.${ISSUER}.email.unverified: expected trust_email_verified: true`;
    expect(() => mapSamlLogin(demanding(false))).toThrow(MappingInvalid);
    expect(() => mapSamlLogin(demanding(false))).toThrow(path);
    expect(() => mapSamlLogin({ email: { unverified: 'demand_proof' } })).toThrow(
      'email.unverified: expected',
    );
  });

  test('of OpenID logins has no such trust', () => {
    expect(() => mapOpenIdLogin(demanding(true) as OpenIdMappingAtOnce)).toThrow(
      'trust_email_verified: expected only in SAML mappings',
    );
  });
});
