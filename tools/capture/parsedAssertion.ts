/** The parts of an assertion that an event is made of, out of what node-saml parsed. */
import type { ParsedAssertion } from './serviceEvent.ts';

/** An element: its children by name, its attributes under `$`, its text under `_`. An empty one is an empty text. */
type Element = Readonly<Record<string, unknown>> | string | undefined;

/** @param assertion `Assertion` of `profile.getAssertion()`, after node-saml has checked the signature */
export function parsedAssertion(assertion: Readonly<Record<string, unknown>>): ParsedAssertion {
  const subject = child(assertion, 'Subject');
  const nameId = child(subject, 'NameID');
  const conditions = child(assertion, 'Conditions');
  const statement = child(assertion, 'AuthnStatement');
  return {
    id: attributeOf(assertion, 'ID'),
    issueInstant: attributeOf(assertion, 'IssueInstant'),
    issuer: textOf(child(assertion, 'Issuer')),
    nameId:
      nameId === undefined
        ? undefined
        : {
            value: textOf(nameId),
            format: attributeOf(nameId, 'Format'),
            nameQualifier: attributeOf(nameId, 'NameQualifier'),
            spNameQualifier: attributeOf(nameId, 'SPNameQualifier'),
            spProvidedId: attributeOf(nameId, 'SPProvidedID'),
          },
    confirmations: children(subject, 'SubjectConfirmation').map((confirmation) => {
      const data = child(confirmation, 'SubjectConfirmationData');
      return {
        method: attributeOf(confirmation, 'Method'),
        address: attributeOf(data, 'Address'),
        notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
        recipient: attributeOf(data, 'Recipient'),
      };
    }),
    conditions: {
      notBefore: attributeOf(conditions, 'NotBefore'),
      notOnOrAfter: attributeOf(conditions, 'NotOnOrAfter'),
      audienceRestrictions: children(conditions, 'AudienceRestriction').map((restriction) =>
        children(restriction, 'Audience').map(textOf),
      ),
    },
    authnStatement:
      statement === undefined
        ? undefined
        : {
            instant: attributeOf(statement, 'AuthnInstant'),
            sessionIndex: attributeOf(statement, 'SessionIndex'),
            address: attributeOf(child(statement, 'SubjectLocality'), 'Address'),
          },
    attributes: children(assertion, 'AttributeStatement')
      .flatMap((one) => children(one, 'Attribute'))
      .map((attribute) => ({
        name: attributeOf(attribute, 'Name') ?? '',
        friendlyName: attributeOf(attribute, 'FriendlyName'),
        nameFormat: attributeOf(attribute, 'NameFormat'),
        values: children(attribute, 'AttributeValue').map(textOf),
      })),
  };
}

function children(element: Element, name: string): Element[] {
  const found = typeof element === 'object' ? element[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function child(element: Element, name: string): Element {
  return children(element, name)[0];
}

function attributeOf(element: Element, name: string): string | undefined {
  if (typeof element !== 'object') return undefined;
  return (element.$ as Readonly<Record<string, string>> | undefined)?.[name];
}

/** With the text of elements inside it: an eduPersonTargetedID is a NameID inside its AttributeValue. */
function textOf(element: Element): string {
  if (typeof element !== 'object') return element ?? '';
  const { $: _, _: own, ...inside } = element;
  const texts = Object.values(inside).flatMap((value) => (Array.isArray(value) ? value.map(textOf) : []));
  return [typeof own === 'string' ? own : '', ...texts].join('');
}
