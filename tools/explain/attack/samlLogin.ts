/** A SAML event that is attacked: changes of its attributes. */
import { asciiLowerCase } from '../../../lib/text.ts';
import { type AttackedLogin, isSame } from './login.ts';

interface Attribute {
  attributeName: string;
  attributeFriendlyName: string | null;
  attributeNameFormat: string;
  attributeValue: string;
}
interface Assertion {
  assertionIssuer: string;
  assertionSubject: { subjectNameID: { nameIDValue: string } };
  assertionAuthnStatement: { authnStatementInstant: string };
  assertionAttributeStatement: readonly Attribute[];
}

const NAME_FORMAT = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';

export class AttackedSamlLogin implements AttackedLogin {
  readonly kind = 'SAML';
  readonly event: { assertion: Assertion };

  /** @param event one that the function accepts */
  constructor(event: { assertion: Assertion }) {
    this.event = event;
  }

  get issuer(): string {
    return this.event.assertion.assertionIssuer;
  }

  withIssuer(assertionIssuer: string): AttackedSamlLogin {
    return this.#with({ assertionIssuer });
  }

  textsOf(names: readonly string[]): string[] {
    return this.#attributes.filter(named(names)).map(({ attributeValue }) => attributeValue);
  }

  withTexts(names: readonly string[], texts: readonly string[]): AttackedSamlLogin {
    const [name = ''] = names;
    const first = this.#attributes.find(named(names)) ?? attribute(name);
    const added = texts.map((attributeValue) => ({ ...first, attributeValue }));
    return this.#withAttributes([...this.#others(names), ...added]);
  }

  without(names: readonly string[]): AttackedSamlLogin {
    return this.#withAttributes(this.#others(names));
  }

  replacing(text: string, others: readonly string[]): AttackedSamlLogin {
    const attributes = this.#attributes.flatMap((one) =>
      isSame(one.attributeValue, text) ? others.map((attributeValue) => ({ ...one, attributeValue })) : [one],
    );
    const { nameIDValue } = this.event.assertion.assertionSubject.subjectNameID;
    const replaced = this.#withAttributes(attributes);
    return isSame(nameIDValue, text) ? replaced.withNameId(others[0] ?? '') : replaced;
  }

  authenticatedAt(moment: number): AttackedSamlLogin {
    const { assertionAuthnStatement } = this.event.assertion;
    const authnStatementInstant = new Date(moment).toISOString();
    return this.#with({ assertionAuthnStatement: { ...assertionAuthnStatement, authnStatementInstant } });
  }

  /** The meaning of all attributes in their FriendlyName alone. */
  byFriendlyName(): AttackedSamlLogin {
    return this.#withAttributes(
      this.#attributes.map((one) => ({
        ...one,
        attributeName: FOREIGN_NAME,
        attributeFriendlyName: one.attributeFriendlyName || one.attributeName,
      })),
    );
  }

  withNameId(nameIDValue: string): AttackedSamlLogin {
    const { assertionSubject: subject } = this.event.assertion;
    const subjectNameID = { ...subject.subjectNameID, nameIDValue };
    return this.#with({ assertionSubject: { ...subject, subjectNameID } });
  }

  withAttribute(name: string, attributeValue: string): AttackedSamlLogin {
    return this.#withAttributes([...this.#attributes, { ...attribute(name), attributeValue }]);
  }

  get #attributes(): readonly Attribute[] {
    return this.event.assertion.assertionAttributeStatement;
  }

  #others(names: readonly string[]): Attribute[] {
    const isNamed = named(names);
    return this.#attributes.filter((one) => !isNamed(one));
  }

  #withAttributes(assertionAttributeStatement: readonly Attribute[]): AttackedSamlLogin {
    return this.#with({ assertionAttributeStatement });
  }

  #with(changed: Partial<Assertion>): AttackedSamlLogin {
    return new AttackedSamlLogin({ ...this.event, assertion: { ...this.event.assertion, ...changed } });
  }
}

/** Below the number for examples, RFC 5612. */
const FOREIGN_NAME = 'urn:oid:1.3.6.1.4.1.32473.1';

function attribute(attributeName: string): Attribute {
  return {
    attributeName,
    attributeFriendlyName: null,
    attributeNameFormat: NAME_FORMAT,
    attributeValue: '',
  };
}

function named(names: readonly string[]): (attribute: Attribute) => boolean {
  const keys = new Set(names.map(asciiLowerCase));
  return ({ attributeName, attributeFriendlyName }) =>
    [attributeName, attributeFriendlyName ?? ''].some((name) => keys.has(asciiLowerCase(name)));
}
