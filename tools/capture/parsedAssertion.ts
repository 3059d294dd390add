/** The parts of an assertion that an event is made of, in the names of SAML Core. */
import { ASSERTION, elementsIn } from './xml.ts';

/** What may be left out in an assertion is undefined. */
export type ParsedAssertion = ReturnType<typeof parsedAssertion>;

/** @param assertion an `<Assertion>`, after its signature was checked */
export function parsedAssertion(assertion: Element) {
  const issuer = child(assertion, 'Issuer');
  const subject = child(assertion, 'Subject');
  const conditions = child(assertion, 'Conditions');
  const nameId = child(subject, 'NameID');
  const statement = child(assertion, 'AuthnStatement');
  return {
    id: attributeOf(assertion, 'ID'),
    issueInstant: attributeOf(assertion, 'IssueInstant'),
    issuer: issuer && textOf(issuer),
    nameId: nameId && {
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
    authnStatement: statement && {
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

function children(element: Element | undefined, name: string): Element[] {
  return elementsIn(element, ASSERTION, name);
}

function child(element: Element | undefined, name: string): Element | undefined {
  return children(element, name)[0];
}

function attributeOf(element: Element | undefined, name: string): string | undefined {
  return element?.getAttributeNode(name)?.value;
}

const TEXTS = [3, 4];

/** With the text of elements inside it: an eduPersonTargetedID is a NameID inside its AttributeValue. The space around them is none. */
function textOf(element: Element): string {
  const texts = Array.from(element.childNodes).filter(({ nodeType }) => TEXTS.includes(nodeType));
  const own = texts.map(({ nodeValue }) => nodeValue).join('');
  return [own.trim() === '' ? '' : own, ...elementsIn(element).map(textOf)].join('');
}
