/** Logins with made-up values: as many names as a log record has, and values that are found or refused as it says. */

import type { RefusedLogin } from './refusedLogin.ts';
import type { OpenIdLogin, ParsedAssertion, SamlLogin } from './serviceEvent.ts';

const PERSON = { email: 'person@example.org', first_name: 'Ada', last_name: 'Lovelace' } as const;
const OTHER = 'made-up';
const LIFETIME_SECONDS = 300;

/** What a value must be so that it is refused with this note. */
const REFUSED: Readonly<Record<string, string>> = {
  unverified: PERSON.email,
  unproven: PERSON.email,
  ambiguous: `${PERSON.email}other@example.org`,
  invalid: 'no address',
  guest: 'person_example.org#EXT#@example.org',
  unreadable: PERSON.email,
};

/** How the trace calls the NameID where it may be an address. */
const EMAIL_NAME_ID = 'NameID of format emailAddress';
const FOUND =
  /^(?:(Name|FriendlyName) )?(.*?)(?:, (split|single word|the given name|the rest beside the (?:given|family) name))?$/;
const VERIFIED = /(?:^|\.)(?:email_?verified|verified_?email)$|^xms_edov$/i;

/** By the name of a claim or attribute. */
type Values = Map<string, string | boolean | null>;

export function madeUpLogin(refused: RefusedLogin): OpenIdLogin | SamlLogin {
  return refused.function === 'samlLoggedIn' ? samlLogin(refused) : openIdLogin(refused);
}

function valuesOf({ trace: { fields, received } }: RefusedLogin): Values {
  const values: Values = new Map(received.names.map((name) => [name, OTHER]));
  for (let other = 1; other <= Math.min(received.others, 100); other++) values.set(`made-up-${other}`, OTHER);
  const { email } = fields;
  for (const name of values.keys()) if (VERIFIED.test(name)) values.set(name, verifiedBy(email?.note));
  const lost = Object.values(fields).filter(({ found }) => found === null);
  for (const name of lost.flatMap(({ tried }) => tried)) if (has(values, name)) values.set(name, '');
  const refusedName = email?.found === null ? email.tried.find((name) => has(values, name)) : undefined;
  if (refusedName !== undefined) values.set(refusedName, REFUSED[email?.note ?? ''] ?? '');
  for (const [field, { found }] of Object.entries(fields)) {
    const [, , name = '', how] = FOUND.exec(found ?? '') ?? [];
    if (found !== null && found !== 'fallback' && name !== 'NameID') values.set(name, valueFor(field, how));
  }
  return values;
}

function verifiedBy(note: string | undefined): string | boolean | null {
  if (note === 'unverified') return false;
  if (note === 'unreadable') return 'neither';
  return note === 'unproven' ? null : true;
}

/** Under this name, or in what is above it: `address` for `address.country`. */
function has(values: Values, name: string): boolean {
  return values.has(name) || values.has(name.split('.')[0] ?? '');
}

function valueFor(field: string, how: string | undefined): string {
  if (how === 'split' || how?.startsWith('the rest')) return `${PERSON.first_name} ${PERSON.last_name}`;
  return (PERSON as Readonly<Record<string, string>>)[field] ?? OTHER;
}

function openIdLogin(refused: RefusedLogin): OpenIdLogin {
  const now = Math.floor(Date.now() / 1_000);
  const claims: Record<string, unknown> = {
    ...{ iss: refused.issuer, sub: OTHER, aud: [OTHER], iat: now, exp: now + LIFETIME_SECONDS },
  };
  for (const [name, value] of valuesOf(refused)) setAt(claims, name, value);
  const parts = [{ alg: 'none' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const tokens = { access_token: OTHER, token_type: 'Bearer', id_token: `${parts.join('.')}.` };
  return { tokens, claims };
}

/** A path goes into a parent that has arrived. */
function setAt(claims: Record<string, unknown>, name: string, value: unknown): void {
  const [parent = '', ...rest] = name.split('.');
  if (rest.length === 0 || !Object.hasOwn(claims, parent)) {
    claims[name] = value;
    return;
  }
  const above = claims[parent];
  const object = typeof above === 'object' && above !== null ? { ...above } : {};
  setAt(object, rest.join('.'), value);
  claims[parent] = object;
}

function samlLogin(refused: RefusedLogin): SamlLogin {
  const now = Date.now();
  const time = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  const end = time(LIFETIME_SECONDS);
  const friendly = new Set(
    Object.values(refused.trace.fields).flatMap(({ found }) => {
      const [, by, name = ''] = FOUND.exec(found ?? '') ?? [];
      return by === 'FriendlyName' ? [name] : [];
    }),
  );
  return {
    assertion: {
      id: `_${OTHER}`,
      issueInstant: time(0),
      issuer: refused.issuer,
      nameId: nameIdOf(refused),
      confirmations: [
        {
          method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
          address: undefined,
          notOnOrAfter: end,
          recipient: OTHER,
        },
      ],
      conditions: { notBefore: time(0), notOnOrAfter: end, audienceRestrictions: [[OTHER]] },
      authnStatement: { instant: time(0), sessionIndex: OTHER, address: undefined },
      attributes: [...valuesOf(refused)].map(([name, value]) => ({
        name: friendly.has(name) ? `urn:example:${name}` : name,
        friendlyName: friendly.has(name) ? name : undefined,
        nameFormat: undefined,
        values: [String(value ?? true)],
      })),
    },
  };
}

/** The address is in the NameID where it was found there, or where one was refused and no attribute has it. */
function nameIdOf(refused: RefusedLogin): ParsedAssertion['nameId'] {
  const { email } = refused.trace.fields;
  const values = valuesOf(refused);
  const isRefused =
    email?.found === null &&
    email.note !== undefined &&
    email.tried.includes(EMAIL_NAME_ID) &&
    !email.tried.some((name) => values.has(name));
  const isEmail = email?.found === 'NameID' || isRefused;
  const text = email?.found === 'NameID' ? PERSON.email : (REFUSED[email?.note ?? ''] ?? OTHER);
  return {
    value: isEmail ? text : OTHER,
    format: isEmail
      ? 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
      : 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
    ...{ nameQualifier: undefined, spNameQualifier: undefined, spProvidedId: undefined },
  };
}
