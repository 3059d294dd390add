/** A login event as JSON, of either kind, of which copies are made that differ in one thing. */
import type * as v from 'valibot';
import type { LoginKind } from '../../../lib/kinds.ts';
import { isOwnClaim } from '../../../lib/openid/claims.ts';
import type { IdToken } from '../../../lib/openid/model.ts';
import type { Assertion, AssertionAttribute } from '../../../lib/saml/model.ts';
import { isJsonObject } from '../../../lib/schema.ts';
import { asciiLowerCase } from '../../../lib/text.ts';

type Claims = Record<string, unknown>;

type Attribute = v.InferInput<typeof AssertionAttribute>;

/** Each method but `textsOf` makes another login. */
export class AttackedLogin {
  readonly kind: LoginKind;
  readonly event: { idToken?: v.InferInput<typeof IdToken>; assertion?: v.InferInput<typeof Assertion> };

  /** @param event one that the function of this kind accepts, which is copied */
  constructor(kind: LoginKind, event: unknown) {
    this.kind = kind;
    this.event = structuredClone(event as AttackedLogin['event']);
    if (this.event.idToken) this.event.idToken.otherClaims ??= {};
  }

  get #claims(): Claims {
    return this.event.idToken?.otherClaims ?? {};
  }

  get #attributes(): Attribute[] {
    return this.event.assertion?.assertionAttributeStatement ?? [];
  }

  set #attributes(attributes: Attribute[]) {
    if (this.event.assertion) this.event.assertion.assertionAttributeStatement = attributes;
  }

  get issuer(): string {
    return this.event.idToken?.iss ?? this.event.assertion?.assertionIssuer ?? '';
  }

  withIssuer(issuer: string): AttackedLogin {
    const copy = new AttackedLogin(this.kind, this.event);
    const { idToken, assertion } = copy.event;
    if (idToken) idToken.iss = issuer;
    // Some services repeat it among the claims.
    if ('iss' in copy.#claims) copy.#claims.iss = issuer;
    if (assertion) assertion.assertionIssuer = issuer;
    return copy;
  }

  textsOf(names: readonly string[]): string[] {
    const attributes = this.#attributes.filter(named(names)).map(({ attributeValue }) => attributeValue);
    const values = names.flatMap((name) => valueAt(this.#claims, name));
    return [...attributes, ...values].filter((value) => typeof value === 'string');
  }

  /** Puts a value in the place of all that stands under these names: any JSON; of SAML a text, or a list of them. */
  with(names: readonly string[], value: unknown): AttackedLogin {
    const [first = ''] = names;
    const values = [value].flat();
    if (this.event.assertion) {
      const copy = this.without(names);
      const like = this.#attributes.find(named(names)) ?? { ...NEW_ATTRIBUTE, attributeName: first };
      copy.#attributes.push(...values.map((text) => ({ ...like, attributeValue: String(text) })));
      return copy;
    }
    const name = names.find((one) => valueAt(this.#claims, one) !== undefined) ?? first;
    const copy = new AttackedLogin(this.kind, this.event);
    const [holder, key] = holderOf(copy.#claims, name);
    // The event has fields of its own for some claims.
    if (!isOwnClaim(name)) holder[key] = value;
    else Object.assign(copy.event.idToken ?? {}, { [name]: name === 'aud' ? values : values[0] });
    return copy;
  }

  without(names: readonly string[]): AttackedLogin {
    const copy = new AttackedLogin(this.kind, this.event);
    const isNamed = named(names);
    copy.#attributes = copy.#attributes.filter((one) => !isNamed(one));
    for (const name of names) {
      const [holder, key] = holderOf(copy.#claims, name);
      if (!isOwnClaim(name)) delete holder[key];
    }
    return copy;
  }

  /** Puts other texts in the place of each that equals this one without case, e.g. an address. */
  replacing(text: string, others: readonly string[]): AttackedLogin {
    const inPlace = others.length === 1 ? others[0] : others;
    const replaced = (_: string, value: unknown) => {
      if (Array.isArray(value)) return value.flatMap((one) => (one === inPlace ? others : [one]));
      return isSame(value, text) ? inPlace : value;
    };
    const copy = this.withNameId(others[0] ?? '', text);
    Object.assign(copy.#claims, JSON.parse(JSON.stringify(copy.#claims), replaced));
    copy.#attributes = copy.#attributes.flatMap((one) => {
      const values = isSame(one.attributeValue, text) ? others : [one.attributeValue];
      return values.map((attributeValue) => ({ ...one, attributeValue }));
    });
    return copy;
  }

  /** @param moment the time of authentication, in milliseconds since 1970 */
  authenticatedAt(moment: number): AttackedLogin {
    const copy = new AttackedLogin(this.kind, this.event);
    const { idToken, assertion } = copy.event;
    if (idToken) copy.#claims.auth_time = Math.floor(moment / 1_000);
    if (assertion) assertion.assertionAuthnStatement.authnStatementInstant = new Date(moment).toISOString();
    return copy;
  }

  /** The meaning of all attributes only in their FriendlyName; the same login where it has no attributes. */
  byFriendlyName(): AttackedLogin {
    const copy = new AttackedLogin(this.kind, this.event);
    for (const one of copy.#attributes) {
      one.attributeFriendlyName ||= one.attributeName;
      one.attributeName = FOREIGN_NAME;
    }
    return copy;
  }

  /** The same login where it has no NameID. @param inPlaceOf the NameID that is replaced; default: any */
  withNameId(nameId: string, inPlaceOf?: string): AttackedLogin {
    const copy = new AttackedLogin(this.kind, this.event);
    const { subjectNameID } = copy.event.assertion?.assertionSubject ?? {};
    if (subjectNameID && (inPlaceOf === undefined || isSame(subjectNameID.nameIDValue, inPlaceOf)))
      subjectNameID.nameIDValue = nameId;
    return copy;
  }
}

export function isChanged({ event }: AttackedLogin, before: AttackedLogin): boolean {
  return JSON.stringify(event) !== JSON.stringify(before.event);
}

/** Whether a value is this text, without case and surrounding white space. */
export function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' && asciiLowerCase(value.trim()) === asciiLowerCase(text);
}

/** Where a claim of this name stands, or should: among the claims, or inside one of them: `realm_access.roles`. */
function holderOf(claims: Claims, name: string): [holder: Claims, key: string] {
  const parent = Object.keys(claims).find(
    (claim) => name.startsWith(`${claim}.`) && isJsonObject(claims[claim]),
  );
  if (parent === undefined || Object.hasOwn(claims, name)) return [claims, name];
  return holderOf(claims[parent] as Claims, name.slice(parent.length + 1));
}

function valueAt(claims: Claims, name: string): unknown {
  const [holder, key] = holderOf(claims, name);
  return holder[key];
}

const NEW_ATTRIBUTE = {
  attributeFriendlyName: null,
  attributeNameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
};
/** Below the number for examples, RFC 5612. */
const FOREIGN_NAME = 'urn:oid:1.3.6.1.4.1.32473.1';

function named(names: readonly string[]): (attribute: Attribute) => boolean {
  const keys = names.map(asciiLowerCase);
  return ({ attributeName, attributeFriendlyName }) =>
    [attributeName, attributeFriendlyName ?? ''].some((name) => keys.includes(asciiLowerCase(name)));
}
