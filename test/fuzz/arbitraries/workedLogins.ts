/** Logins aimed at the worked handlers that ask other systems. */
import fc from 'fast-check';
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';
import type { JsonObject } from '../oracle/json.ts';
import { userInfoToken } from '../outside.ts';
import { ADMINISTRATORS, ENTRA_ISSUER, TENANT } from '../workedMappings.ts';
import { address } from './people.ts';

const STRANGERS = ['https://evil.example', 'https://orcid.org/', 'http://orcid.org', 'constructor', ''];

function issuerOr(issuer: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(issuer) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGERS) },
  );
}

/** What an ID token, or UserInfo, says of an address; undefined for nothing. */
const said = fc.constantFrom<unknown>(undefined, undefined, true, false, 'false', 'true', 0, 1, null);
const emailClaims = fc.record({
  email: fc.oneof(
    fc.constantFrom<unknown>(
      'ada@example.org',
      'eve@example.org',
      'ADA@example.org',
      undefined,
      undefined,
      null,
    ),
    address,
  ),
  email_verified: said,
  xms_edov: said,
});

export interface UserInfoLogin {
  issuer: string;
  own: JsonObject;
  more: JsonObject;
  isSamePerson: boolean;
}

export function userInfoLogin(issuer: string): fc.Arbitrary<UserInfoLogin> {
  const isSamePerson = fc.nat(5).map((number) => number > 0);
  return fc.record({ issuer: issuerOr(issuer), own: emailClaims, more: emailClaims, isSamePerson });
}

const roles = fc.subarray(['staff', 'editor', 'suspended']);
const noGroups = fc.constantFrom<unknown>(undefined, undefined, null);
const groupClaims = fc.record({
  groups: fc.oneof(noGroups, roles, fc.constantFrom('staff', 7)),
  realm_access: fc.oneof(
    noGroups,
    // A null of the ID token would hide the roles that UserInfo has.
    fc.record({ roles: fc.oneof(roles, fc.constantFrom('suspended')) }),
    fc.constantFrom<unknown>({}, { other: {} }, 'staff'),
  ),
  hasgroups: fc.oneof(noGroups, fc.constantFrom<unknown>(true, false, 'false', '1', 0, {})),
  _claim_names: fc.oneof(
    noGroups,
    fc.constantFrom<unknown>({}, { groups: 'src1' }, { realm_access: 'src1' }, { other: 'src1' }),
  ),
});

export function userInfoGroupsLogin(issuer: string): fc.Arbitrary<UserInfoLogin> {
  return fc.record({
    issuer: fc.constant(issuer),
    own: groupClaims,
    more: groupClaims,
    isSamePerson: fc.constant(true),
  });
}

export function userInfoGroupsEvent({ issuer, own, more, isSamePerson }: UserInfoLogin): string {
  const event = JSON.parse(
    userInfoEvent({ issuer, own: { ...own, email: 'ada@example.org' }, more, isSamePerson }),
  );
  event.tokenType = 'userinfo-groups';
  return JSON.stringify(event);
}

export function userInfoEvent({ issuer, own, more, isSamePerson }: UserInfoLogin): string {
  const event = openIdEvent();
  event.tokenType = 'userinfo-profile';
  event.idToken.iss = issuer;
  event.idToken.otherClaims = { ...own, given_name: 'Ada', family_name: 'Lovelace' };
  event.accessToken = userInfoToken({ ...more, sub: isSamePerson ? event.idToken.sub : 'somebody else' });
  return JSON.stringify(event);
}

export interface OrcidLogin {
  issuer: string;
  sub: string;
}

const orcidId = fc
  .tuple(fc.nat(9_999), fc.nat(9))
  .map(([digits, last]) => `${String(digits).padStart(4, '0')}-0002-1825-009${last}`);

export const orcidLogin: fc.Arbitrary<OrcidLogin> = fc.record({
  issuer: issuerOr('https://orcid.org'),
  sub: fc.oneof(
    { weight: 5, arbitrary: orcidId },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '..',
        '../0000-0002-1825-0097',
        '1111-0002-1825-0097\n',
        '1111-0002-1825-0097/../x',
      ),
    },
  ),
});

export function orcidEvent({ issuer, sub }: OrcidLogin): string {
  const event = openIdEvent();
  event.tokenType = 'orcid-email';
  Object.assign(event.idToken, { iss: issuer, sub });
  return JSON.stringify(event);
}

export interface DirectoryLogin {
  issuer: string;
  nameId: string;
}

const step = fc.constantFrom('..', '.', 'ada', 'bob', 'admin', 'people', '', '%2e%2e', '%2E', '..;', 'ADA');
export const directoryLogin: fc.Arbitrary<DirectoryLogin> = fc.record({
  issuer: issuerOr('https://sso.example.org/saml'),
  nameId: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('ada', 'bob', 'eve') },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.array(step, { maxLength: 5 }), fc.constantFrom('/', '/', '\\', '%2f', '%5C'))
        .map(([steps, slash]) => steps.join(slash)),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  ),
});

export function directoryEvent({ issuer, nameId }: DirectoryLogin): string {
  const event = samlEvent();
  event.assertion.assertionIssuer = issuer;
  event.assertion.assertionAuthnStatement.authnStatementSessionIndex = 'directory-lookup';
  event.assertion.assertionSubject.subjectNameID.nameIDValue = nameId;
  return JSON.stringify(event);
}

export interface EntraLogin {
  issuer: string;
  claims: JsonObject;
}

/** The last digits are the groups of the person. */
const OIDS = ['0', '1', '2', '12'].map((digits) => `00000000-0000-4000-8000-${digits.padStart(12, '0')}`);

export const entraLogin: fc.Arbitrary<EntraLogin> = fc.record({
  issuer: issuerOr(ENTRA_ISSUER),
  claims: fc.record({
    tid: fc.constantFrom<unknown>(TENANT, TENANT, TENANT, 'another', undefined),
    oid: fc.constantFrom<unknown>(...OIDS, 'oid-1', 7, undefined, '../1'),
    hasgroups: fc.constantFrom<unknown>(true, true, undefined, false, 'true'),
    _claim_names: fc.constantFrom<unknown>({ groups: 'src1' }, undefined, undefined, {}, 'groups'),
    groups: fc.constantFrom<unknown>(undefined, undefined, [], [ADMINISTRATORS]),
  }),
});

export function entraEvent({ issuer, claims }: EntraLogin): string {
  const event = openIdEvent();
  event.tokenType = 'entra-groups';
  event.idToken.iss = issuer;
  event.idToken.otherClaims = { ...event.idToken.otherClaims, ...claims };
  return JSON.stringify(event);
}

export interface StaffLogin {
  issuer: string;
  role: string;
}

export const STAFF_ISSUER = 'https://sso.example.edu/realms/campus';
export const staffLogin: fc.Arbitrary<StaffLogin> = fc.record({
  issuer: issuerOr(STAFF_ISSUER),
  role: fc.constantFrom('staff', 'student', 'STAFF', ' staff', ''),
});

export function staffEvent({ issuer, role }: StaffLogin): string {
  const event = samlEvent();
  event.assertion.assertionIssuer = issuer;
  event.assertion.assertionAuthnStatement.authnStatementSessionIndex = 'staff-group';
  event.assertion.assertionAttributeStatement.push(attribute('Role', role));
  return JSON.stringify(event);
}
