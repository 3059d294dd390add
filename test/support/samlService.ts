/** The service that signs people in through SAML: node-saml, and the event that it sends of what that validated. */
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Issued, SamlProvider } from './samlProvider.ts';
import { attribute, type samlEvent } from './wire.ts';

export type SamlEvent = ReturnType<typeof samlEvent>;

export const ENTITY_ID = 'https://app.example.net/saml/metadata';
export const ACS = 'https://app.example.net/saml/acs';

/** A service that checks the signature, and neither audience nor time. */
const CARELESS: Partial<SamlConfig> = { audience: false, acceptedClockSkewMs: -1 };
const CAREFUL: Partial<SamlConfig> = { audience: ENTITY_ID, acceptedClockSkewMs: 0 };

/**
 * Signs a person in, and gives the event.
 *
 * @throws what node-saml throws where it refuses the provider's answer
 */
export async function signIn(
  provider: SamlProvider,
  issued: Issued = {},
  care: 'careful' | 'careless' = 'careful',
): Promise<SamlEvent> {
  const service = new SAML({
    issuer: ENTITY_ID,
    callbackUrl: ACS,
    entryPoint: 'https://idp.example.org/sso',
    idpCert: provider.cert,
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(care === 'careful' ? CAREFUL : CARELESS),
  });
  const request = new URL(await service.getAuthorizeUrlAsync('', undefined, {}));
  const SAMLResponse = await provider.respond(request, issued);
  const { profile } = await service.validatePostResponseAsync({ SAMLResponse });
  return eventOf(profile?.getAssertion?.().Assertion as Element);
}

/** An element as node-saml has parsed it: its children by name, its attributes under `$`, its text under `_`. */
type Element = Readonly<Record<string, unknown>> | undefined;

const children = (element: Element, name: string) => (element?.[name] ?? []) as Element[];
const child = (element: Element, name: string) => children(element, name)[0];
const textOf = (element: Element) => (element?._ ?? '') as string;
const attributeOf = (element: Element, name: string) =>
  (element?.$ as Record<string, string> | undefined)?.[name] ?? null;

function eventOf(assertion: Element): SamlEvent {
  const subject = child(assertion, 'Subject');
  const nameId = child(subject, 'NameID');
  const conditions = child(assertion, 'Conditions');
  const statement = child(assertion, 'AuthnStatement');
  const text = (element: Element, name: string) => attributeOf(element, name) ?? '';
  return {
    assertion: {
      assertionId: text(assertion, 'ID'),
      assertionIssued: text(assertion, 'IssueInstant'),
      assertionIssuer: textOf(child(assertion, 'Issuer')),
      assertionSubject: {
        subjectConfirmations: children(subject, 'SubjectConfirmation').map((confirmation) => {
          const data = child(confirmation, 'SubjectConfirmationData');
          return {
            subjectConfirmationMethod: text(confirmation, 'Method'),
            subjectConfirmationAddress: text(data, 'Address'),
            subjectConfirmationNotOnOrAfter: text(data, 'NotOnOrAfter'),
            subjectConfirmationRecipient: text(data, 'Recipient'),
          };
        }),
        subjectNameID: {
          nameIDQualifier: attributeOf(nameId, 'NameQualifier'),
          nameIDSPNameQualifier: attributeOf(nameId, 'SPNameQualifier'),
          nameIDSPProvidedID: attributeOf(nameId, 'SPProvidedID'),
          nameIDFormat: attributeOf(nameId, 'Format'),
          nameIDValue: textOf(nameId),
        },
      },
      assertionConditions: {
        conditionsNotBefore: text(conditions, 'NotBefore'),
        conditionsNotOnOrAfter: text(conditions, 'NotOnOrAfter'),
        conditionsAudienceRestrictions: children(conditions, 'AudienceRestriction').map((restriction) => ({
          audienceRestrictionAudience: children(restriction, 'Audience').map(textOf),
        })),
      },
      assertionAuthnStatement: {
        authnStatementInstant: text(statement, 'AuthnInstant'),
        authnStatementSessionIndex: text(statement, 'SessionIndex'),
        authnStatementLocality: '',
      },
      assertionAttributeStatement: children(child(assertion, 'AttributeStatement'), 'Attribute').flatMap(
        (one) => children(one, 'AttributeValue').map((value) => attributeWith(one, textOf(value))),
      ),
    },
  };
}

function attributeWith(element: Element, value: string) {
  const name = attributeOf(element, 'Name') ?? '';
  return attribute(name, value, attributeOf(element, 'FriendlyName'));
}
