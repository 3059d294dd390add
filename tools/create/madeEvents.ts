/** Events of made-up people, as the service sends them. */

const LIFETIME_SECONDS = 300;
/** When they logged in, in seconds since 1970. A sample runs at its own time. */
const LOGIN_TIME = Date.UTC(2026, 0, 15, 10) / 1_000;

/** Of claims by their names, or of attributes by their Names: a list has one for each value. */
export type Claims = Readonly<Record<string, unknown>>;

/** Its token is no JWT: only the check of tokens reads that. */
export function openIdEvent(iss: string, { sub = 'made-up-subject', ...otherClaims }: Claims): unknown {
  const times = { exp: LOGIN_TIME + LIFETIME_SECONDS, iat: LOGIN_TIME };
  return {
    accessToken: 'made-up',
    tokenType: 'Bearer',
    idToken: { iss, sub, aud: ['my-client'], ...times, nonce: null, otherClaims },
    idTokenJwt: 'made-up',
    expiresIn: LIFETIME_SECONDS,
    refreshToken: null,
  };
}

export function samlEvent(issuer: string, attributes: Claims): unknown {
  const [start, end] = [0, LIFETIME_SECONDS].map((after) =>
    new Date((LOGIN_TIME + after) * 1_000).toISOString(),
  );
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
          nameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
          nameIDValue: '_made-up-name-id',
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
      assertionAttributeStatement: Object.entries(attributes).flatMap(([name, values]) =>
        [values].flat().map((value) => attribute(name, value)),
      ),
    },
  };
}

function attribute(attributeName: string, attributeValue: unknown) {
  const form = attributeName.startsWith('urn:oid:') ? 'uri' : 'unspecified';
  return {
    attributeName,
    attributeFriendlyName: null,
    attributeNameFormat: `urn:oasis:names:tc:SAML:2.0:attrname-format:${form}`,
    attributeValue,
  };
}
