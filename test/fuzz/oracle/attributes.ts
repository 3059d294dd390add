/** The evidence of a SAML login: its attributes, by Name and by FriendlyName. */
import { millisecondsOf } from './dateTime.ts';
import type { AssertionWire, AttributeWire } from './event.ts';
import { asciiLower, type Evidence, trimmed } from './evidence.ts';
import { ATTRIBUTES, SAME_ATTRIBUTES } from './names.ts';

const LANGUAGE = [
  'preferredlanguage',
  'urn:mace:dir:attribute-def:preferredlanguage',
  'urn:oid:2.16.840.1.113730.3.1.39',
];
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
const EMAIL_FORMATS = ['urn:oasis:names:tc:saml:1.1:nameid-format:emailaddress', 'emailaddress'];

export function attributesEvidence({ assertion }: { assertion: AssertionWire }): Evidence {
  const attributes = assertion.assertionAttributeStatement;
  const byName = (names: readonly string[]) => called(attributes, names, (a) => a.attributeName);
  const byFriendlyName = (names: readonly string[]) =>
    called(attributes, names, (a) => a.attributeFriendlyName);
  const { nameIDValue: nameId } = assertion.assertionSubject.subjectNameID;
  const everywhere = (names: readonly string[]) => [...byName(names), ...byFriendlyName(names)];
  const isCut = [...byName([GROUPS_LINK]), ...byFriendlyName([GROUPS_LINK])].length > 0;
  return {
    issuer: assertion.assertionIssuer,
    language: attributes.find(saysLanguage)?.attributeValue ?? null,
    defaults: ATTRIBUTES,
    expanded: (name) =>
      SAME_ATTRIBUTES.find(([usual = '']) => asciiLower(usual) === asciiLower(name)) ?? [name],
    nameId,
    emailNameId: isEmailNameId(assertion) ? nameId : null,
    texts: (names) => [...byName(names), ...byFriendlyName(names)].map((text) => ({ text, name: '' })),
    granted(names) {
      const values = byName(names);
      return values.length > 0 ? values : byFriendlyName(names);
    },
    denied: (names) => everywhere(sameAs(names)).map((text) => ({ text, joined: true })),
    exact: byName,
    signedIn: (millisecondsOf(assertion.assertionAuthnStatement.authnStatementInstant) ?? Number.NaN) / 1_000,
    isThere: (names) => byName(names).length + byFriendlyName(names).length > 0,
    isUnknown: (name) => isCut && /group|role|memberof/.test(asciiLower(name)),
    // Of an assertion, only what is no "yes" says something, about each of its addresses. A "yes" may be several.
    emailStatus: () =>
      trimmed(attributes.filter(saysVerified).map(({ attributeValue }) => attributeValue)).some(
        (said) => !/^(1|true)+$/i.test(said),
      )
        ? 'unverified'
        : 'unproven',
  };
}

/** With all names of an attribute that has one of these. */
function sameAs(names: readonly string[]): string[] {
  const lower = names.map(asciiLower);
  const isMeant = (same: string[]) => same.some((name) => lower.includes(asciiLower(name)));
  const others = SAME_ATTRIBUTES.filter(isMeant).flat();
  return [...names, ...others.filter((name) => !lower.includes(asciiLower(name)))];
}

function called(
  attributes: readonly AttributeWire[],
  names: readonly string[],
  nameOf: (attribute: AttributeWire) => string | null,
): string[] {
  return names.flatMap((name) =>
    attributes
      .filter((attribute) => name !== '' && asciiLower(nameOf(attribute) ?? '') === asciiLower(name))
      .map(({ attributeValue }) => attributeValue),
  );
}

function saysLanguage({ attributeName, attributeFriendlyName }: AttributeWire): boolean {
  return [attributeName, attributeFriendlyName].some((name) => LANGUAGE.includes(asciiLower(name ?? '')));
}

/** Under one of these names, or one that ends with it: providers have URIs of their own. */
function saysVerified({ attributeName, attributeFriendlyName }: AttributeWire): boolean {
  return [attributeName, attributeFriendlyName].some((name) =>
    ['emailverified', 'email_verified'].includes(
      asciiLower(name ?? '')
        .split(/[/#:]/)
        .at(-1) ?? '',
    ),
  );
}

const ENTRA_ISSUER =
  /^https?:\/\/(?:login\.microsoftonline\.(?:com|us|de)|login\.partner\.microsoftonline\.cn|login\.chinacloudapi\.cn|sts\.(?:windows\.net|chinacloudapi\.cn|microsoftonline\.de))(?:[/:?#]|$)/i;

/** Entra writes the user principal name into such a NameID. */
function isEmailNameId({ assertionIssuer, assertionSubject: { subjectNameID } }: AssertionWire): boolean {
  const { nameIDFormat, nameIDValue } = subjectNameID;
  return (
    EMAIL_FORMATS.includes(asciiLower(nameIDFormat ?? '')) &&
    !ENTRA_ISSUER.test(assertionIssuer) &&
    !asciiLower(nameIDValue).includes('#ext#')
  );
}
