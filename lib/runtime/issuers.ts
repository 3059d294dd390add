/** The settings that say whose tokens and assertions are believed: JSON, each issuer with what is its own. */
import * as v from 'valibot';
import { isJsonObject } from '../automation/schema.ts';

const text = v.pipe(v.string('expected a text'), v.nonEmpty('expected a text'));
const texts = v.pipe(v.array(text, 'expected a list of texts'), v.nonEmpty('expected at least one'));

/** Without query and fragment (OpenID Connect Discovery 1.0 section 3), and never over plain HTTP. */
const ISSUER = /^https:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/;

const url = (pattern: RegExp, expected: string) =>
  v.pipe(
    v.string(expected),
    v.check((value) => pattern.test(value) && URL.canParse(value), expected),
  );

/** Strict: a misspelled key would otherwise be a check that is not made. */
const OpenIdIssuer = v.strictObject(
  {
    /** The client ids that a token may be meant for. */
    audiences: texts,
    /** Where the keys are. Left out: where the issuer's discovery document says. */
    jwks_uri: v.optional(url(/^https:\/\/[^#\s]+$/, 'expected an https URL')),
  },
  'expected an object with audiences, and jwks_uri where there is no discovery, and nothing else',
);

const SamlIssuer = v.strictObject(
  {
    /** The entity ids of the service provider that an assertion may be meant for. */
    audiences: texts,
    /** The URLs of its assertion consumer services. */
    recipients: texts,
  },
  'expected an object with audiences and recipients, and nothing else',
);

/** The `OPENID_ISSUERS` setting: issuer to its audiences. */
export const openIdIssuers = issuers(
  url(ISSUER, 'expected an issuer: an https URL without query'),
  OpenIdIssuer,
);

/** The `SAML_ISSUERS` setting: entity id to its audiences and recipients. */
export const samlIssuers = issuers(text, SamlIssuer);

export type OpenIdIssuer = v.InferOutput<typeof OpenIdIssuer>;
export type SamlIssuer = v.InferOutput<typeof SamlIssuer>;

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
