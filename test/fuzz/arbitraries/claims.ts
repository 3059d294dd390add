/** Claims that an issuer may sign all the same: of the wrong kind, for somebody else, or for another time. */
import fc from 'fast-check';
import { ENTRA_ISSUERS, OTHER_ISSUER } from '../keys.ts';
import { MARKER } from '../oracle/logged.ts';
import { hostileJson, hostileKey } from './json.ts';

/** What a claim becomes: JSON text made when the case is tried, for the sake of the times. */
export interface ClaimChange {
  claim: string;
  /** In seconds from now, where it is a time; else JSON text, undefined to leave the claim out. */
  value: number | string | undefined;
}

const TIMES = ['exp', 'iat', 'nbf'];
/** Well away from the clock skew of 60, so that a slow machine makes no difference. */
const SECONDS = [-100_000, -90, -30, 0, 30, 90, 100_000];
const AUDIENCES = [
  ...['"client-1"', '"client-2"', '"client-3"', '["client-1","client-2"]', '["client-1","client-3"]'],
  ...['[]', '["client-1","client-1"]', '""', 'null', '[null,"client-1"]', '{"0":"client-1"}'],
];
const AUTHORIZED_PARTIES = ['"client-1"', '"client-2"', '"client-3"', 'null', undefined];
const TEXTS = [
  JSON.stringify(OTHER_ISSUER),
  '"subject-2"',
  '"nonce-2"',
  '"client-2"',
  'null',
  '""',
  JSON.stringify(MARKER),
];

const claim = fc.oneof(
  fc.constantFrom(
    'iss',
    'sub',
    'aud',
    'azp',
    'exp',
    'iat',
    'nbf',
    'nonce',
    'at_hash',
    'events',
    'email',
    'given_name',
  ),
  hostileKey.map((key) => JSON.parse(key) as string),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: hostileJson },
);

const claimChange: fc.Arbitrary<ClaimChange> = fc.oneof(
  fc.record({ claim: fc.constantFrom(...TIMES), value: fc.constantFrom(...SECONDS) }),
  fc.record({ claim: fc.constantFrom('aud', 'azp'), value: fc.constantFrom(...AUDIENCES) }),
  fc.constantFrom({ claim: 'email_verified', value: 'false' }, { claim: 'email_verified', value: 'true' }),
  fc.record({ claim, value }),
);

/** Who a token is for, and who it was given to: two claims that are looked at together. */
const audiences = fc
  .tuple(fc.constantFrom(...AUDIENCES), fc.constantFrom(...AUTHORIZED_PARTIES))
  .map(([aud, azp]) => [
    { claim: 'aud', value: aud },
    { claim: 'azp', value: azp },
  ]);

export const claimChanges: fc.Arbitrary<ClaimChange[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(claimChange, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: audiences },
);

/** By these, issuers tell other tokens from ID tokens; some of the values are those of an ID token. */
const KINDS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  typ: [
    '"Bearer"',
    '"Refresh"',
    '"Offline"',
    '"Logout"',
    '"dpop"',
    '"at+JWT"',
    '"ID"',
    '"JWT"',
    'null',
    '7',
    '["Bearer"]',
  ],
  token_use: ['"access"', '"id"', '"refresh"', '"ID"', '""', 'true'],
  scp: ['"User.Read"', '""', '[]', '["openid"]', 'null'],
  azpacr: ['"0"', '"1"', '"2"'],
  appidacr: ['"0"', '"1"'],
  idtyp: ['"app"', '"user"'],
  scope: ['"openid profile"', '""', 'null'],
  gty: ['"client-credentials"'],
  client_id: ['"client-1"'],
  nonce: [undefined, 'null', '""', '"nonce-1"', '"nonce-2"'],
  events: ['{}', '{"http://schemas.openid.net/event/backchannel-logout":{}}'],
};

const issuer = fc.oneof(
  fc.constant([]),
  fc.constantFrom(...ENTRA_ISSUERS).map((iss) => [{ claim: 'iss', value: JSON.stringify(iss) }]),
);
const kind = fc.oneof(
  ...Object.entries(KINDS).map(([claim, values]) =>
    fc.record({ claim: fc.constant(claim), value: fc.constantFrom(...values) }),
  ),
);

/** A token that says it is no ID token, or that it is one, of any issuer. */
export const kindOfToken: fc.Arbitrary<ClaimChange[]> = fc
  .tuple(issuer, fc.array(kind, { maxLength: 2 }))
  .map((changes) => changes.flat());

export function entryOf({ claim, value }: ClaimChange): [string, string | undefined] {
  if (typeof value !== 'number') return [claim, value];
  return [claim, String(Math.floor(Date.now() / 1_000) + value)];
}
