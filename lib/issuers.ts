/** The settings that list the issuers whose tokens and assertions are accepted: JSON from issuer to what is checked. */
import * as v from 'valibot';
import { isJsonObject, someOf, strict, stringThat, text } from './schema.ts';

/** Without query and fragment (OpenID Connect Discovery 1.0 section 3), and never over plain HTTP. */
const ISSUER = /^https:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/;
const HTTPS_URL = /^https:\/\/[^#\s]+$/;

/** The `OPENID_ISSUERS` setting: issuer to its audiences. */
export function openIdIssuers() {
  return issuers(url(ISSUER, 'expected an issuer: an https URL without query'), openIdIssuer());
}

/** The `SAML_ISSUERS` setting: entity id to its audiences and recipients. */
export function samlIssuers() {
  return issuers(text, samlIssuer());
}

export type OpenIdIssuer = v.InferOutput<ReturnType<typeof openIdIssuer>>;
export type SamlIssuer = v.InferOutput<ReturnType<typeof samlIssuer>>;

function openIdIssuer() {
  return strict({
    /** The client ids that a token may be meant for. */
    audiences: someOf(text),
    /** Where the keys are. Default: where the issuer's discovery document says. */
    jwks_uri: v.optional(url(HTTPS_URL, 'expected an https URL')),
  });
}

function samlIssuer() {
  return strict({
    /** The entity ids of the service provider that an assertion may be meant for. */
    audiences: someOf(text),
    /** The URLs of its assertion consumer services. */
    recipients: someOf(text),
  });
}

function issuers<TIssuer>(name: v.GenericSchema<string, string>, issuer: v.GenericSchema<unknown, TIssuer>) {
  const expected = 'expected a JSON object of issuers';
  return v.pipe(
    v.string(expected),
    v.parseJson(undefined, expected),
    v.check(isJsonObject, expected),
    v.record(name, issuer, expected),
    v.transform((record): ReadonlyMap<string, TIssuer> => new Map(Object.entries(record))),
    v.check(({ size }) => size > 0, 'expected at least one issuer'),
  );
}

function url(pattern: RegExp, expected: string) {
  return stringThat((value) => pattern.test(value) && URL.canParse(value), expected);
}
