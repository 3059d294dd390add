/** Valid events in their wire form, small enough to read; each call makes new ones. */

export function openIdEvent() {
  return {
    accessToken: 'access-token-1',
    tokenType: 'Bearer',
    idToken: {
      iss: 'https://idp.example.org',
      sub: 'subject-1',
      aud: ['client-1'],
      exp: 1795258800,
      iat: 1795255200,
      nonce: 'nonce-1' as string | null,
      otherClaims: {
        email: 'ada@example.org',
        given_name: 'Ada',
        family_name: 'Lovelace',
      } as Record<string, unknown>,
    },
    idTokenJwt: 'header.payload.signature',
    expiresIn: 3600,
    refreshToken: 'refresh-token-1' as string | null,
  };
}

export function attribute(name: string, value: string, friendlyName: string | null = null) {
  return {
    attributeName: name,
    attributeFriendlyName: friendlyName,
    attributeNameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
    attributeValue: value,
  };
}

export function samlEvent(
  attributes = [
    attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.org', 'mail'),
    attribute('urn:oid:2.5.4.42', 'Ada', 'givenName'),
    attribute('urn:oid:2.5.4.4', 'Lovelace', 'sn'),
  ],
) {
  return {
    assertion: {
      assertionId: '_assertion-1',
      assertionIssued: '2026-11-21T10:00:00Z',
      assertionIssuer: 'https://idp.example.org/saml',
      assertionSubject: {
        subjectConfirmations: [
          {
            subjectConfirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
            subjectConfirmationAddress: '',
            subjectConfirmationNotOnOrAfter: '2026-11-21T10:05:00Z',
            subjectConfirmationRecipient: 'https://app.example.net/saml/acs',
          },
        ],
        subjectNameID: {
          nameIDQualifier: null as string | null,
          nameIDSPNameQualifier: null as string | null,
          nameIDSPProvidedID: null as string | null,
          nameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' as string | null,
          nameIDValue: '_name-id-1',
        },
      },
      assertionConditions: {
        conditionsNotBefore: '2026-11-21T09:59:58Z',
        conditionsNotOnOrAfter: '2026-11-21T10:05:00Z',
        conditionsAudienceRestrictions: [
          { audienceRestrictionAudience: ['https://app.example.net/saml/metadata'] },
        ],
      },
      assertionAuthnStatement: {
        authnStatementInstant: '2026-11-21T10:00:00Z',
        authnStatementSessionIndex: 'session-1',
        authnStatementLocality: '',
      },
      assertionAttributeStatement: attributes,
    },
  };
}

/** The same event as an API Gateway HTTP API (payload 2.0) sends it. */
export function overHttp(body: unknown, overrides: Record<string, unknown> = {}) {
  return {
    version: '2.0',
    requestContext: { http: { method: 'POST' } },
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    ...overrides,
  };
}
