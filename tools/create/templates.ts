/** Which template a new handler is made of. */
import { KINDS } from '../../lib/kinds.ts';
import { expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { OPENID_TEMPLATES } from './openIdTemplates.ts';
import { SAML_TEMPLATES } from './samlTemplates.ts';
import type { Issuer, Template } from './template.ts';

/** By the word of the kind, and by the name of the provider. */
export const TEMPLATES: Readonly<Record<string, Readonly<Record<string, Template>>>> = {
  [KINDS.OpenID.word]: OPENID_TEMPLATES,
  [KINDS.SAML.word]: SAML_TEMPLATES,
};

const PROVIDERS = Object.keys({ ...OPENID_TEMPLATES, ...SAML_TEMPLATES });

/** How a command line says which provider a handler is for. */
export const PROVIDER_OPTIONS = {
  provider: {
    type: 'string',
    value: '<provider>',
    choices: PROVIDERS,
    about: `the identity provider: ${PROVIDERS.join(', ')}`,
  },
  issuer: { type: 'string', value: '<url>', about: 'the issuer of the provider, as an event has it' },
} as const;

/** The function that logins of a kind go to, e.g. `openidLoggedIn` for `openid`. */
export function functionNameOf(kind: string): string {
  return Object.values(KINDS).find(({ word }) => word === kind)?.functionName ?? '';
}

/** @throws {UnusableInput} for a provider that does not have this kind of login */
export function templateOf(kind: string, provider: string): Template {
  const templates = TEMPLATES[kind] ?? {};
  expectOneOf('--provider', provider, Object.keys(templates));
  return templates[provider] as Template;
}

/** Of a URI (RFC 3986 appendix A), without the quotation mark that would end it in the source of a handler. */
const URI = /^[a-z][a-z\d+.-]*:[\w:/?#[\]@!$&()*+,;=.~%-]+$/i;

/** @throws {UnusableInput} for what is no issuer of this provider */
export function issuerOf({ issuer, example }: Template, url: string): Issuer {
  const match = URI.test(url) ? issuer.exec(url) : null;
  if (match) return { url, part: match[1] ?? '' };
  throw new UnusableInput(`--issuer: expected an issuer like ${example}, found ${url}`);
}
