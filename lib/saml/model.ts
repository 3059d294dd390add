/** The "User Logged In" event of a SAML automation: wire names in, attribute names out. */
import * as v from 'valibot';
import { list, object, string, stringOrNull } from '../schema.ts';
import { dateTime } from './dateTime.ts';

export const AssertionAttribute = v.pipe(
  object({
    attributeName: string,
    attributeFriendlyName: stringOrNull,
    attributeNameFormat: string,
    attributeValue: string,
  }),
  v.transform((wire) => ({
    name: wire.attributeName,
    friendly_name: wire.attributeFriendlyName,
    name_format: wire.attributeNameFormat,
    value: wire.attributeValue,
  })),
);

export const AuthnStatement = v.pipe(
  object({
    authnStatementInstant: dateTime,
    authnStatementSessionIndex: string,
    authnStatementLocality: string,
  }),
  v.transform((wire) => ({
    instant: wire.authnStatementInstant,
    session_index: wire.authnStatementSessionIndex,
    locality: wire.authnStatementLocality,
  })),
);

export const AudienceRestriction = v.pipe(
  object({ audienceRestrictionAudience: list(string) }),
  v.transform((wire) => ({ audience: wire.audienceRestrictionAudience })),
);

export const Conditions = v.pipe(
  object({
    conditionsNotBefore: dateTime,
    conditionsNotOnOrAfter: dateTime,
    conditionsAudienceRestrictions: list(AudienceRestriction),
  }),
  v.transform((wire) => ({
    no_before: wire.conditionsNotBefore,
    not_on_or_after: wire.conditionsNotOnOrAfter,
    audience_restrictions: wire.conditionsAudienceRestrictions,
  })),
);

/** All five must be present; the four nullable ones may hold null. */
export const NameID = v.pipe(
  object({
    nameIDQualifier: stringOrNull,
    nameIDSPNameQualifier: stringOrNull,
    nameIDSPProvidedID: stringOrNull,
    nameIDFormat: stringOrNull,
    nameIDValue: string,
  }),
  v.transform((wire) => ({
    qualifier: wire.nameIDQualifier,
    sp_name_qualifier: wire.nameIDSPNameQualifier,
    sp_provided_id: wire.nameIDSPProvidedID,
    format: wire.nameIDFormat,
    value: wire.nameIDValue,
  })),
);

export const SubjectConfirmation = v.pipe(
  object({
    subjectConfirmationMethod: string,
    subjectConfirmationAddress: string,
    subjectConfirmationNotOnOrAfter: dateTime,
    subjectConfirmationRecipient: string,
  }),
  v.transform((wire) => ({
    method: wire.subjectConfirmationMethod,
    address: wire.subjectConfirmationAddress,
    notOnOrAfter: wire.subjectConfirmationNotOnOrAfter,
    recipient: wire.subjectConfirmationRecipient,
  })),
);

export const Subject = v.pipe(
  object({ subjectConfirmations: list(SubjectConfirmation), subjectNameID: NameID }),
  v.transform((wire) => ({ confirmations: wire.subjectConfirmations, name_id: wire.subjectNameID })),
);

export const Assertion = v.pipe(
  object({
    assertionId: string,
    assertionIssued: dateTime,
    assertionIssuer: string,
    assertionSubject: Subject,
    assertionConditions: Conditions,
    assertionAuthnStatement: AuthnStatement,
    assertionAttributeStatement: list(AssertionAttribute),
  }),
  v.transform((wire) => ({
    id: wire.assertionId,
    issued: wire.assertionIssued,
    issuer: wire.assertionIssuer,
    subject: wire.assertionSubject,
    conditions: wire.assertionConditions,
    authn_statement: wire.assertionAuthnStatement,
    attribute_statement: wire.assertionAttributeStatement,
  })),
);

export const SamlUserLoggedInEvent = object({ assertion: Assertion });

export type AssertionAttribute = v.InferOutput<typeof AssertionAttribute>;
export type AuthnStatement = v.InferOutput<typeof AuthnStatement>;
export type AudienceRestriction = v.InferOutput<typeof AudienceRestriction>;
export type Conditions = v.InferOutput<typeof Conditions>;
export type NameID = v.InferOutput<typeof NameID>;
export type SubjectConfirmation = v.InferOutput<typeof SubjectConfirmation>;
export type Subject = v.InferOutput<typeof Subject>;
export type Assertion = v.InferOutput<typeof Assertion>;
export type SamlUserLoggedInEvent = v.InferOutput<typeof SamlUserLoggedInEvent>;
