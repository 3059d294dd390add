/** Whether something is a "User Logged In" event: the interface's tables of required fields, as plain code. */
import { millisecondsOf } from './dateTime.ts';
import { isListOf, isObject, isText, isWhole, type JsonObject, own } from './json.ts';

type Check = (value: unknown) => boolean;

const isTextOrNull: Check = (value) => value === null || isText(value);
const isDateTime: Check = (value) => millisecondsOf(value) !== null;
const listOf =
  (isItem: Check): Check =>
  (value) =>
    isListOf(value, isItem);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

function model(fields: Record<string, Check>): Check {
  return (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(own(value, name)));
}

const isIdToken = model({
  iss: isText,
  sub: isText,
  aud: listOf(isText),
  exp: isWhole,
  iat: isWhole,
  nonce: optional(isTextOrNull),
  otherClaims: optional(isObject),
});

export const isOpenIdEvent = model({
  accessToken: isText,
  tokenType: isText,
  idToken: isIdToken,
  idTokenJwt: isText,
  expiresIn: isWhole,
  refreshToken: optional(isTextOrNull),
});

const isSubject = model({
  subjectConfirmations: listOf(
    model({
      subjectConfirmationMethod: isText,
      subjectConfirmationAddress: isText,
      subjectConfirmationNotOnOrAfter: isDateTime,
      subjectConfirmationRecipient: isText,
    }),
  ),
  subjectNameID: model({
    nameIDQualifier: isTextOrNull,
    nameIDSPNameQualifier: isTextOrNull,
    nameIDSPProvidedID: isTextOrNull,
    nameIDFormat: isTextOrNull,
    nameIDValue: isText,
  }),
});

const isConditions = model({
  conditionsNotBefore: isDateTime,
  conditionsNotOnOrAfter: isDateTime,
  conditionsAudienceRestrictions: listOf(model({ audienceRestrictionAudience: listOf(isText) })),
});

const isAuthnStatement = model({
  authnStatementInstant: isDateTime,
  authnStatementSessionIndex: isText,
  authnStatementLocality: isText,
});

const isAttribute = model({
  attributeName: isText,
  attributeFriendlyName: isTextOrNull,
  attributeNameFormat: isText,
  attributeValue: isText,
});

export const isSamlEvent = model({
  assertion: model({
    assertionId: isText,
    assertionIssued: isDateTime,
    assertionIssuer: isText,
    assertionSubject: isSubject,
    assertionConditions: isConditions,
    assertionAuthnStatement: isAuthnStatement,
    assertionAttributeStatement: listOf(isAttribute),
  }),
});

/** The parts of a valid event that its checks look at. */
export interface OpenIdWire {
  accessToken: string;
  idToken: JsonObject & { iss: string; aud: string[]; nonce?: string | null; otherClaims?: JsonObject };
  idTokenJwt: string;
}

export interface AssertionWire {
  assertionIssuer: string;
  assertionAuthnStatement: { authnStatementInstant: string };
  assertionAttributeStatement: AttributeWire[];
  assertionSubject: {
    subjectNameID: { nameIDFormat: string | null; nameIDValue: string };
    subjectConfirmations: {
      subjectConfirmationMethod: string;
      subjectConfirmationNotOnOrAfter: string;
      subjectConfirmationRecipient: string;
    }[];
  };
  assertionConditions: {
    conditionsNotBefore: string;
    conditionsNotOnOrAfter: string;
    conditionsAudienceRestrictions: { audienceRestrictionAudience: string[] }[];
  };
}

export interface AttributeWire {
  attributeName: string;
  attributeFriendlyName: string | null;
  attributeValue: string;
}
