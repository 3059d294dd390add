/** The kinds of login, one row each: what differs between them as data. What runs is in `openid/kind.ts` and `saml/kind.ts`. */

export const KINDS = {
  OpenID: {
    /** In commands; after a slash the path of its route; in capitals how the names of its settings begin. */
    word: 'openid',
    functionName: 'openidLoggedIn',
    /** Under its name a custom module may export its own handler: minifying renames functions. */
    defaultHandler: 'handleOpenIdUserLoggedIn',
    mappingMaker: 'mapOpenIdLogin',
    handlerModule: 'openidHandlerModule',
    externalId: 'openidExternalId',
    issuers: 'openidIssuers',
    check: 'openidTokenCheck',
  },
  SAML: {
    word: 'saml',
    functionName: 'samlLoggedIn',
    defaultHandler: 'handleSamlUserLoggedIn',
    mappingMaker: 'mapSamlLogin',
    handlerModule: 'samlHandlerModule',
    externalId: 'samlExternalId',
    issuers: 'samlIssuers',
    check: 'samlAssertionCheck',
  },
} as const;

export type LoginKind = keyof typeof KINDS;
