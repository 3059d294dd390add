/** A login event as JSON, of either kind, of which copies are made that differ in one thing. */
import type { LoginKind } from '../../../lib/kinds.ts';
import { OWN_CLAIMS } from '../../../lib/openid/claims.ts';
import { isJsonObject } from '../../../lib/schema.ts';
import { asciiLowerCase } from '../../../lib/text.ts';

type Claims = Readonly<Record<string, unknown>>;

interface OpenIdEvent {
  idToken: Readonly<{ iss: string; otherClaims?: Claims }>;
}

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

interface SamlEvent {
  assertion: Assertion;
}

/** Never changed: each method returns another login. */
export class AttackedLogin {
  readonly kind: LoginKind;
  readonly event: OpenIdEvent | SamlEvent;

  /** @param event one that the function of this kind accepts */
  constructor(kind: LoginKind, event: unknown) {
    this.kind = kind;
    this.event = event as OpenIdEvent | SamlEvent;
  }

  get issuer(): string {
    return 'idToken' in this.event ? this.event.idToken.iss : this.event.assertion.assertionIssuer;
  }

  /** Some services repeat the issuer among the claims. */
  withIssuer(issuer: string): AttackedLogin {
    if (!('idToken' in this.event)) return this.#withAssertion({ assertionIssuer: issuer });
    const claims = this.#claims;
    return this.#withToken({
      iss: issuer,
      otherClaims: 'iss' in claims ? { ...claims, iss: issuer } : claims,
    });
  }

  textsOf(names: readonly string[]): string[] {
    if ('assertion' in this.event)
      return this.#attributes.filter(named(names)).map(({ attributeValue }) => attributeValue);
    const values = names.flatMap((name) => valueAt(this.#claims, name));
    return values.filter((value) => typeof value === 'string');
  }

  /**
   * Puts a value in the place of all that stands under these names.
   *
   * @param value any JSON; of SAML a text, or a list of them
   */
  with(names: readonly string[], value: unknown): AttackedLogin {
    const [first = ''] = names;
    if ('idToken' in this.event)
      return this.#withClaim(names.find((name) => valueAt(this.#claims, name) !== undefined) ?? first, value);
    const like = this.#attributes.find(named(names)) ?? attribute(first);
    const added = [value].flat().map((text) => ({ ...like, attributeValue: String(text) }));
    return this.#withAttributes([...this.#others(names), ...added]);
  }

  without(names: readonly string[]): AttackedLogin {
    if ('assertion' in this.event) return this.#withAttributes(this.#others(names));
    const absent = names.filter((name) => !isOwn(name));
    const otherClaims = absent.reduce((claims, name) => placed(claims, name, undefined), this.#claims);
    return this.#withToken({ otherClaims });
  }

  /** Puts other texts in the place of each that equals this one without case, e.g. an address. */
  replacing(text: string, others: readonly string[]): AttackedLogin {
    if ('assertion' in this.event) return this.#replacingAttributes(text, others);
    const inPlace = others.length === 1 ? others[0] : others;
    const replaced = (value: unknown): unknown => {
      if (isSame(value, text)) return inPlace;
      if (Array.isArray(value)) return value.flatMap(replaced);
      return isJsonObject(value) ? mapped(value, replaced) : value;
    };
    return this.#withToken({ otherClaims: mapped(this.#claims, replaced) });
  }

  /** @param moment the time of authentication, in milliseconds since 1970 */
  authenticatedAt(moment: number): AttackedLogin {
    if ('idToken' in this.event) return this.with(['auth_time'], Math.floor(moment / 1_000));
    const { assertionAuthnStatement } = this.event.assertion;
    const authnStatementInstant = new Date(moment).toISOString();
    return this.#withAssertion({
      assertionAuthnStatement: { ...assertionAuthnStatement, authnStatementInstant },
    });
  }

  /** The meaning of all attributes only in their FriendlyName; the same login where it has no attributes. */
  byFriendlyName(): AttackedLogin {
    if ('idToken' in this.event) return this;
    return this.#withAttributes(
      this.#attributes.map((one) => ({
        ...one,
        attributeName: FOREIGN_NAME,
        attributeFriendlyName: one.attributeFriendlyName || one.attributeName,
      })),
    );
  }

  /** The same login where it has no NameID. */
  withNameId(nameIDValue: string): AttackedLogin {
    if ('idToken' in this.event) return this;
    const { assertionSubject: subject } = this.event.assertion;
    const subjectNameID = { ...subject.subjectNameID, nameIDValue };
    return this.#withAssertion({ assertionSubject: { ...subject, subjectNameID } });
  }

  get #claims(): Claims {
    return ('idToken' in this.event ? this.event.idToken.otherClaims : undefined) ?? {};
  }

  get #attributes(): readonly Attribute[] {
    return 'assertion' in this.event ? this.event.assertion.assertionAttributeStatement : [];
  }

  #others(names: readonly string[]): Attribute[] {
    const isNamed = named(names);
    return this.#attributes.filter((one) => !isNamed(one));
  }

  #replacingAttributes(text: string, others: readonly string[]): AttackedLogin {
    const attributes = this.#attributes.flatMap((one) =>
      isSame(one.attributeValue, text) ? others.map((attributeValue) => ({ ...one, attributeValue })) : [one],
    );
    const replaced = this.#withAttributes(attributes);
    return isSame(this.#nameId, text) ? replaced.withNameId(others[0] ?? '') : replaced;
  }

  get #nameId(): string {
    return 'assertion' in this.event ? this.event.assertion.assertionSubject.subjectNameID.nameIDValue : '';
  }

  /** A claim that the event has a field for stands there. */
  #withClaim(name: string, value: unknown): AttackedLogin {
    if (!isOwn(name)) return this.#withToken({ otherClaims: placed(this.#claims, name, value) });
    return this.#withToken({ [name]: name === 'aud' ? [value].flat() : [value].flat()[0] });
  }

  #withToken(changed: object): AttackedLogin {
    const idToken = 'idToken' in this.event ? this.event.idToken : {};
    return new AttackedLogin(this.kind, { ...this.event, idToken: { ...idToken, ...changed } });
  }

  #withAttributes(assertionAttributeStatement: readonly Attribute[]): AttackedLogin {
    return this.#withAssertion({ assertionAttributeStatement });
  }

  #withAssertion(changed: Partial<Assertion>): AttackedLogin {
    const assertion = 'assertion' in this.event ? this.event.assertion : {};
    return new AttackedLogin(this.kind, { ...this.event, assertion: { ...assertion, ...changed } });
  }
}

export function isChanged({ event }: AttackedLogin, before: AttackedLogin): boolean {
  return JSON.stringify(event) !== JSON.stringify(before.event);
}

/** Whether a value is this text, without case and surrounding white space. */
export function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' && asciiLowerCase(value.trim()) === asciiLowerCase(text);
}

/** Whether the event has a field for a claim, which no login lacks. */
export function isOwn(claim: string): boolean {
  return OWN_CLAIMS.some((own) => own === claim);
}

function mapped(claims: Claims, change: (value: unknown) => unknown): Claims {
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, change(value)]));
}

/** A claim of this name, or one inside others: `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const parent = parentOf(claims, name);
  return parent && valueAt(parent.claims, parent.rest);
}

/** @param value undefined for none */
function placed(claims: Claims, name: string, value: unknown): Claims {
  const parent = Object.hasOwn(claims, name) ? undefined : parentOf(claims, name);
  if (parent) return { ...claims, [parent.name]: placed(parent.claims, parent.rest, value) };
  const { [name]: _, ...others } = claims;
  return value === undefined ? others : { ...others, [name]: value };
}

function parentOf(claims: Claims, name: string): { name: string; claims: Claims; rest: string } | undefined {
  const found = Object.entries(claims).find(
    ([claim, value]) => name.startsWith(`${claim}.`) && isJsonObject(value),
  );
  if (!found || !isJsonObject(found[1])) return undefined;
  return { name: found[0], claims: found[1], rest: name.slice(found[0].length + 1) };
}

const NAME_FORMAT = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';
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
