/**
 * The event that the service would send out of a real login. One function makes it, for whatever signs people in on one's own
 * machine, so that an event seen there is one that the function may get.
 */
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { problemsOf } from '../../lib/schema.ts';
import type { ParsedAssertion } from './parsedAssertion.ts';

/**
 * `plain`: what the provider sent, value by value. `known`: as the one service whose events were seen writes it, with short
 * names, joined values, times in UTC and repeated claims.
 */
type ServiceForm = 'plain' | 'known';

/** What the token endpoint answered (OpenID Connect Core 3.1.3.3), as openid-client's `authorizationCodeGrant` gives it. */
export interface TokenResponse {
  readonly access_token: string;
  /** Compared without case (RFC 6749 section 5.1). openid-client writes it in lower case, the known service as `Bearer`. */
  readonly token_type: string;
  /** In its compact form. */
  readonly id_token?: string;
  /** Of the access token, in seconds. Optional for a provider; then the event has the lifetime of the ID token. */
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
}

/** A login with OpenID Connect. */
export interface OpenIdLogin {
  tokens: TokenResponse;
  /** The payload of the ID token, as openid-client's `tokens.claims()`; of an encrypted one, after decryption. */
  claims: Readonly<Record<string, unknown>>;
}

/** A login in both forms. An event that was captured itself is the same in both. */
export type ServiceEvents = Record<ServiceForm, Readonly<Record<string, unknown>>>;

/**
 * @returns no events where the function would refuse one, such as that of an assertion without an AuthnStatement: the service
 *   sends none. Then with the path and the expectation of each field, and no value
 */
export function serviceEvents(login: OpenIdLogin | { assertion: ParsedAssertion }): {
  events: ServiceEvents | null;
  problems: string[];
} {
  const made = (form: ServiceForm) =>
    'assertion' in login ? samlEvent(login.assertion, form) : openIdEvent(login, form);
  const events = { plain: made('plain'), known: made('known') };
  const model = 'assertion' in login ? SamlUserLoggedInEvent : OpenIdUserLoggedInEvent;
  // Where the plain form is valid, the known one is.
  const { issues } = v.safeParse<v.GenericSchema>(model, events.plain);
  return issues ? { events: null, problems: problemsOf(issues) } : { events, problems: [] };
}

function openIdEvent({ tokens, claims }: OpenIdLogin, form: ServiceForm) {
  const { iss, sub, aud, nonce, exp, iat, ...others } = claims;
  const standard = { iss, sub, aud: [aud].flat(), exp: rounded(exp), iat: rounded(iat) };
  const isBearer = tokens.token_type.toLowerCase() === 'bearer';
  const repeated = { ...standard, ...(nonce !== undefined && { nonce }) };
  // Times that are no numbers have no distance, and `valid` refuses the event.
  const lifetime = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : undefined;
  return {
    accessToken: tokens.access_token,
    tokenType: isBearer && form === 'known' ? 'Bearer' : tokens.token_type,
    idToken: {
      ...standard,
      nonce: nonce ?? null,
      otherClaims: form === 'known' ? { ...repeated, ...others } : others,
    },
    idTokenJwt: tokens.id_token,
    expiresIn: rounded(tokens.expires_in ?? lifetime),
    refreshToken: tokens.refresh_token ?? null,
  };
}

/** A token may have fractional seconds (RFC 7519 section 2); an event has none. */
function rounded(seconds: unknown): unknown {
  return typeof seconds === 'number' ? Math.round(seconds) : seconds;
}

function samlEvent(assertion: ParsedAssertion, form: ServiceForm) {
  const { id, issueInstant, issuer, nameId, confirmations, conditions, authnStatement } = assertion;
  const time = form === 'known' ? knownTime : (text: string | undefined) => text;
  const name = form === 'known' ? shortName : (text: string | undefined) => text;
  return {
    assertion: {
      assertionId: id,
      assertionIssued: time(issueInstant),
      assertionIssuer: issuer,
      assertionSubject: {
        subjectConfirmations: confirmations.map(({ method, address, notOnOrAfter, recipient }) => ({
          subjectConfirmationMethod: name(method),
          subjectConfirmationAddress: address ?? '',
          subjectConfirmationNotOnOrAfter: time(notOnOrAfter),
          subjectConfirmationRecipient: recipient ?? '',
        })),
        subjectNameID: {
          nameIDQualifier: nameId?.nameQualifier ?? null,
          nameIDSPNameQualifier: nameId?.spNameQualifier ?? null,
          nameIDSPProvidedID: nameId?.spProvidedId ?? null,
          nameIDFormat: name(nameId?.format) ?? null,
          nameIDValue: nameId?.value,
        },
      },
      assertionConditions: {
        conditionsNotBefore: time(conditions.notBefore),
        conditionsNotOnOrAfter: time(conditions.notOnOrAfter),
        conditionsAudienceRestrictions: conditions.audienceRestrictions.map((audiences) => ({
          audienceRestrictionAudience: [...audiences],
        })),
      },
      assertionAuthnStatement: {
        authnStatementInstant: time(authnStatement?.instant),
        authnStatementSessionIndex: authnStatement?.sessionIndex ?? '',
        authnStatementLocality: authnStatement?.address ?? '',
      },
      assertionAttributeStatement: assertion.attributes.flatMap((one) => attributesOf(one, form)),
    },
  };
}

/** SAML Core 8.2.1: what a missing NameFormat means. */
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified';

/** The known service writes one text for each Attribute, whatever number of values it has. */
function attributesOf(attribute: ParsedAssertion['attributes'][number], form: ServiceForm) {
  const { name, friendlyName, nameFormat, values } = attribute;
  return (form === 'known' ? [values.join('')] : values).map((value) => ({
    attributeName: name,
    attributeFriendlyName: friendlyName ?? null,
    attributeNameFormat: nameFormat ?? UNSPECIFIED,
    attributeValue: value,
  }));
}

/** Confirmation methods (SAML Profiles 3) and formats of a NameID (SAML Core 8.3). */
const URN = /^urn:oasis:names:tc:SAML:(?:1\.1|2\.0):(?:cm|nameid-format):([\w-]+)$/;

/** `Bearer` and `Transient` were seen; the others follow from them. */
function shortName(text: string | undefined): string | undefined {
  const [, last] = URN.exec(text ?? '') ?? [];
  return last?.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase()) ?? text;
}

const FRACTIONS = [0, 3, 6, 12] as const;
const MAX_FRACTION = 12;

/** In UTC, with as many digits as the text has, filled up with zeros. Any other text stays, and `valid` refuses it. */
function knownTime(text: string | undefined): string | undefined {
  const date = parseDateTime(text ?? '');
  if (!date) return text;
  const [, digits = ''] = /\.(\d+)/.exec(text ?? '') ?? [];
  const length = FRACTIONS.find((count) => digits.length <= count) ?? MAX_FRACTION;
  const fraction = length === 0 ? '' : `.${digits.slice(0, length).padEnd(length, '0')}`;
  return `${date.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}${fraction}Z`;
}
