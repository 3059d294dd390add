/** A permanent identifier of the person, out of the one source that a setting names. */
import type { OpenIdUserLoggedInEvent } from '../openid/model.ts';
import { OID } from '../saml/attributeNames.ts';
import type { Assertion, SamlUserLoggedInEvent } from '../saml/model.ts';
import type { Settings } from '../settings.ts';
import { asciiLowerCase, MAX_NAME_LENGTH, onlyText } from '../text.ts';
import type { ExternalId } from './login.ts';

/** There is no fallback to another source: it would make another person of somebody whose provider sends one attribute more. */
type ReadExternalId<TEvent> = (event: TEvent) => ExternalId | null;

/** The `sub` claim (OpenID Connect Core 2): lasting, and never given to another person of the same issuer. */
export function openIdExternalId(
  source: Settings['openidExternalId'],
): ReadExternalId<OpenIdUserLoggedInEvent> {
  return ({ id_token: { sub } }) => {
    if (source === 'off') return null;
    return { source, value: isIdentifier(sub) ? sub : null };
  };
}

/** SAML Core 8.3.7; the short form is what some services make of it. */
const PERSISTENT = ['urn:oasis:names:tc:saml:2.0:nameid-format:persistent', 'persistent'];

/** By `Name` alone (SAML Core 2.7.3.1). */
const ATTRIBUTES = {
  subject_id: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  pairwise_id: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  edu_person_unique_id: OID.eduPersonUniqueId,
} as const;

/** An identifier and its scope: one `@`, so that concatenated values do not pass for one. */
const SCOPED = /^[^\s@]+@[^\s@]+$/;

/** The value is null where the assertion has none, or several that differ. */
export function samlExternalId(source: Settings['samlExternalId']): ReadExternalId<SamlUserLoggedInEvent> {
  return ({ assertion }) => {
    if (source === 'off') return null;
    const values =
      source === 'persistent_name_id'
        ? persistentNameIds(assertion)
        : scopedIds(assertion, ATTRIBUTES[source]);
    return { source, value: onlyText(values) };
  };
}

function persistentNameIds({ subject: { name_id } }: Assertion): string[] {
  const { format, value } = name_id;
  const isPersistent = format !== null && PERSISTENT.includes(asciiLowerCase(format));
  return isPersistent && isIdentifier(value) ? [value] : [];
}

/** A value that cannot be read is not left out: then another one would stand for the person. */
function scopedIds({ attribute_statement }: Assertion, attribute: string): (string | null)[] {
  const key = asciiLowerCase(attribute);
  return attribute_statement
    .filter(({ name }) => asciiLowerCase(name) === key)
    .map(({ value }) => (isIdentifier(value) && SCOPED.test(value) ? value : null));
}

function isIdentifier(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH;
}
