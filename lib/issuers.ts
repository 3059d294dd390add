/** The settings that list the issuers whose tokens and assertions are accepted: JSON from issuer to what is checked. */
import * as v from 'valibot';
import { jsonMistake } from './jsonMistake.ts';
import { isJsonObject, someOf, strict, stringThat, text } from './schema.ts';
import { UUID } from './text.ts';

/** Without query and fragment (OpenID Connect Discovery 1.0 section 3). */
const ISSUER = /^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/;
const URL_OF_KEYS = /^https?:\/\/[^#\s]+$/;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A cloud of Microsoft's: where it grants access tokens, and its Microsoft Graph. */
interface EntraCloud {
  login: string;
  graph: string;
}

const GLOBAL = { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' };
const US_GOVERNMENT = { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' };
const CHINA = {
  login: 'https://login.partner.microsoftonline.cn',
  graph: 'https://microsoftgraph.chinacloudapi.cn',
};

/** By the hosts of Entra's issuers and endpoints, v1.0 and v2.0. Germany's cloud ended in 2021. */
const ENTRA_CLOUDS: ReadonlyMap<string, EntraCloud | null> = new Map([
  ['login.microsoftonline.com', GLOBAL],
  ['sts.windows.net', GLOBAL],
  ['login.microsoftonline.us', US_GOVERNMENT],
  ['login.partner.microsoftonline.cn', CHINA],
  ['login.chinacloudapi.cn', CHINA],
  ['sts.chinacloudapi.cn', CHINA],
  ['login.microsoftonline.de', null],
  ['sts.microsoftonline.de', null],
]);

/** @param url null for an issuer that is no URL */
export function isAtEntra(url: URL | null): boolean {
  return url !== null && ENTRA_CLOUDS.has(url.hostname);
}

/** Of people in one directory: its id, and the cloud where it is. */
export interface EntraTenant {
  id: string;
  cloud: EntraCloud;
}

/** @returns null for an issuer that is no tenant of Entra's, such as `common` */
export function entraTenant(issuer: string): EntraTenant | null {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: any other text is no host of Entra's either
  const [, host = '', id = ''] = /^https:\/\/([^/]+)\/([^/]+)\/(?:v2\.0)?$/.exec(issuer) ?? [];
  const cloud = ENTRA_CLOUDS.get(host);
  return cloud && UUID.test(id) ? { id, cloud } : null;
}

/** Whether discovery may start from this issuer (OpenID Connect Discovery 1.0 section 4), or from one on this machine. */
export function isDiscoverable(text: string): boolean {
  return ISSUER.test(text) && URL.canParse(text) && (text.startsWith('https:') || isLoopbackHttp(text));
}

/** Whether a URL is plain HTTP on this machine, which no other machine can listen to or answer. */
export function isLoopbackHttp(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
}

/**
 * The `OPENID_ISSUERS` setting: issuer to its audiences. Plain HTTP is allowed only on loopback, to try a provider on
 * one's own machine, and never on Lambda.
 */
export function openIdIssuers({ isOnLambda }: { isOnLambda: boolean }) {
  const orLoopback = isOnLambda
    ? '; Lambda refuses http on localhost, which is for a provider on your own machine'
    : ', or http on localhost';
  const secure = (pattern: RegExp, expected: string) => {
    const isAllowed = (value: string) => value.startsWith('https:') || (!isOnLambda && isLoopbackHttp(value));
    return urlThat((value) => pattern.test(value) && isAllowed(value), expected + orLoopback);
  };
  return issuers(
    secure(ISSUER, 'expected an issuer: an https URL without query'),
    openIdIssuer(secure(URL_OF_KEYS, 'expected an https URL')),
  );
}

/** The `SAML_ISSUERS` setting: entity id to its audiences and recipients. */
export function samlIssuers() {
  return issuers(text, samlIssuer());
}

export type OpenIdIssuer = v.InferOutput<ReturnType<typeof openIdIssuer>>;
export type SamlIssuer = v.InferOutput<ReturnType<typeof samlIssuer>>;

function openIdIssuer(urlOfKeys: v.GenericSchema<string, string>) {
  return strict({
    /** The client ids that a token may be meant for. */
    audiences: someOf(text),
    /** Where the keys are. Default: where the issuer's discovery document says. */
    jwks_uri: v.optional(urlOfKeys),
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
    v.parseJson(undefined, ({ input }) => `${expected} (${jsonMistake(input)})`),
    v.check(isJsonObject, expected),
    v.record(name, issuer, expected),
    v.transform((record): ReadonlyMap<string, TIssuer> => new Map(Object.entries(record))),
    v.check(({ size }) => size > 0, 'expected at least one issuer'),
  );
}

function urlThat(holds: (value: string) => boolean, expected: string) {
  return stringThat((value) => holds(value) && URL.canParse(value), expected);
}
