/** Events of made-up people, as the service sends them. No token in them is signed. */

const LIFETIME_SECONDS = 300;
/** When they logged in, in seconds since 1970. A sample runs at its own time. */
const LOGIN_TIME = Date.UTC(2026, 0, 15, 10) / 1_000;

const SUBJECT = 'a1b2c3d4-0000-4000-8000-000000000001';

/** @param claims what the ID token has beside the claims that each has */
export function openIdEvent(iss: string, claims: Readonly<Record<string, unknown>>, sub = SUBJECT): unknown {
  const token = {
    ...{ iss, sub, aud: ['my-client'] },
    ...{ exp: LOGIN_TIME + LIFETIME_SECONDS, iat: LOGIN_TIME },
  };
  const parts = [
    { alg: 'RS256', typ: 'JWT', kid: 'made-up' },
    { ...token, ...claims },
  ].map(encoded);
  return {
    accessToken: 'made-up',
    tokenType: 'Bearer',
    idToken: { ...token, nonce: null, otherClaims: claims },
    idTokenJwt: [...parts, encoded('not signed')].join('.'),
    expiresIn: LIFETIME_SECONDS,
    refreshToken: null,
  };
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

export interface MadeAttribute {
  name: string;
  friendlyName?: string | undefined;
  /** Each becomes an entry of its own. */
  values: readonly string[];
}

export type NameId = Readonly<{ format: string; value: string }>;

const TRANSIENT: NameId = {
  format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  value: '_made-up-name-id',
};

export function samlEvent(
  issuer: string,
  attributes: readonly MadeAttribute[],
  { format, value }: NameId = TRANSIENT,
): unknown {
  const start = timeAfter(0);
  const end = timeAfter(LIFETIME_SECONDS);
  return {
    assertion: {
      assertionId: '_made-up-assertion',
      assertionIssued: start,
      assertionIssuer: issuer,
      assertionSubject: {
        subjectConfirmations: [
          {
            subjectConfirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
            subjectConfirmationAddress: '',
            subjectConfirmationNotOnOrAfter: end,
            subjectConfirmationRecipient: 'https://app.example.net/saml/acs',
          },
        ],
        subjectNameID: {
          nameIDQualifier: null,
          nameIDSPNameQualifier: null,
          nameIDSPProvidedID: null,
          nameIDFormat: format,
          nameIDValue: value,
        },
      },
      assertionConditions: {
        conditionsNotBefore: start,
        conditionsNotOnOrAfter: end,
        conditionsAudienceRestrictions: [
          { audienceRestrictionAudience: ['https://app.example.net/saml/metadata'] },
        ],
      },
      assertionAuthnStatement: {
        authnStatementInstant: start,
        authnStatementSessionIndex: '_made-up-session',
        authnStatementLocality: '',
      },
      assertionAttributeStatement: attributes.flatMap(entriesOf),
    },
  };
}

function entriesOf({ name, friendlyName, values }: MadeAttribute) {
  const form = /^urn:oid:/.test(name) ? 'uri' : 'unspecified';
  return values.map((value) => ({
    attributeName: name,
    attributeFriendlyName: friendlyName ?? null,
    attributeNameFormat: `urn:oasis:names:tc:SAML:2.0:attrname-format:${form}`,
    attributeValue: value,
  }));
}

function timeAfter(seconds: number): string {
  return new Date((LOGIN_TIME + seconds) * 1_000).toISOString();
}
