/** The settings that say whose tokens and assertions are believed: JSON, each issuer with what is its own. */
import * as v from 'valibot';
import { isJsonObject } from './schema.ts';

/** Without query and fragment (OpenID Connect Discovery 1.0 section 3), and never over plain HTTP. */
const ISSUER = /^https:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/;
const HTTPS_URL = /^https:\/\/[^#\s]+$/;

/** The `OPENID_ISSUERS` setting: issuer to its audiences. */
export function openIdIssuers() {
  return issuers(url(ISSUER, 'expected an issuer: an https URL without query'), openIdIssuer());
}

/** The `SAML_ISSUERS` setting: entity id to its audiences and recipients. */
export function samlIssuers() {
  return issuers(text(), samlIssuer());
}

export type OpenIdIssuer = v.InferOutput<ReturnType<typeof openIdIssuer>>;
export type SamlIssuer = v.InferOutput<ReturnType<typeof samlIssuer>>;

/** Strict: a misspelled key would otherwise be a check that is not made. */
function openIdIssuer() {
  return v.strictObject(
    {
      /** The client ids that a token may be meant for. */
      audiences: texts(),
      /** Where the keys are. Left out: where the issuer's discovery document says. */
      jwks_uri: v.optional(url(HTTPS_URL, 'expected an https URL')),
    },
    'expected an object with audiences, and jwks_uri where there is no discovery, and nothing else',
  );
}

function samlIssuer() {
  return v.strictObject(
    {
      /** The entity ids of the service provider that an assertion may be meant for. */
      audiences: texts(),
      /** The URLs of its assertion consumer services. */
      recipients: texts(),
    },
    'expected an object with audiences and recipients, and nothing else',
  );
}

function issuers<TIssuer>(name: v.GenericSchema<string, string>, issuer: v.GenericSchema<unknown, TIssuer>) {
  const expected = 'expected a JSON object of issuer to what is its own';
  return v.pipe(
    v.string(expected),
    v.parseJson(undefined, expected),
    v.check(isJsonObject, expected),
    v.record(name, issuer, expected),
    v.transform((record): ReadonlyMap<string, TIssuer> => new Map(Object.entries(record))),
    v.check(({ size }) => size > 0, 'expected at least one issuer'),
  );
}

function text() {
  return v.pipe(v.string('expected a text'), v.nonEmpty('expected a text'));
}

function texts() {
  return v.pipe(v.array(text(), 'expected a list of texts'), v.nonEmpty('expected at least one'));
}

function url(pattern: RegExp, expected: string) {
  return v.pipe(
    v.string(expected),
    v.check((value) => pattern.test(value) && URL.canParse(value), expected),
  );
}
