/** The "User Logged In" event of a SAML automation: wire names in, attribute names out. */
import type * as v from 'valibot';
import { list, object, renamed, string, stringOrNull } from '../schema.ts';
import { dateTime } from './dateTime.ts';

export const AssertionAttribute = renamed({
  attributeName: ['name', string],
  attributeFriendlyName: ['friendly_name', stringOrNull],
  attributeNameFormat: ['name_format', string],
  attributeValue: ['value', string],
});

export const AuthnStatement = renamed({
  authnStatementInstant: ['instant', dateTime],
  authnStatementSessionIndex: ['session_index', string],
  authnStatementLocality: ['locality', string],
});

export const AudienceRestriction = renamed({
  audienceRestrictionAudience: ['audience', list(string)],
});

export const Conditions = renamed({
  conditionsNotBefore: ['no_before', dateTime],
  conditionsNotOnOrAfter: ['not_on_or_after', dateTime],
  conditionsAudienceRestrictions: ['audience_restrictions', list(AudienceRestriction)],
});

/** All five must be present; the four nullable ones may hold null. */
export const NameID = renamed({
  nameIDQualifier: ['qualifier', stringOrNull],
  nameIDSPNameQualifier: ['sp_name_qualifier', stringOrNull],
  nameIDSPProvidedID: ['sp_provided_id', stringOrNull],
  nameIDFormat: ['format', stringOrNull],
  nameIDValue: ['value', string],
});

export const SubjectConfirmation = renamed({
  subjectConfirmationMethod: ['method', string],
  subjectConfirmationAddress: ['address', string],
  subjectConfirmationNotOnOrAfter: ['notOnOrAfter', dateTime],
  subjectConfirmationRecipient: ['recipient', string],
});

export const Subject = renamed({
  subjectConfirmations: ['confirmations', list(SubjectConfirmation)],
  subjectNameID: ['name_id', NameID],
});

export const Assertion = renamed({
  assertionId: ['id', string],
  assertionIssued: ['issued', dateTime],
  assertionIssuer: ['issuer', string],
  assertionSubject: ['subject', Subject],
  assertionConditions: ['conditions', Conditions],
  assertionAuthnStatement: ['authn_statement', AuthnStatement],
  assertionAttributeStatement: ['attribute_statement', list(AssertionAttribute)],
});

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
