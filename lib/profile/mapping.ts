/** Makes a handler out of a profile mapping: each login is decided by what the mapping says of its issuer. */

import type { LoginKind } from '../kinds.ts';
import { configuration } from '../readSettings.ts';
import { type CompiledMapping, compiledMapping, DEFAULT_FIELDS } from './compiledMapping.ts';
import { decideLogin } from './decide.ts';
import type { FieldSpec } from './fields/findField.ts';
import { nearIssuer } from './fields/nearMiss.ts';
import type { DefaultNames } from './fields/reader.ts';
import { KIND, type Kind, MAPPING } from './kind.ts';
import type { UserLoginResponse } from './response.ts';
import { compiledAccess } from './rules/access.ts';
import { identifierForm, type MappingPlace } from './rules/identifierForm.ts';
import { requireUsableRules } from './rules/ruleChecks.ts';
import { addressMatcher, isEmailRule } from './rules/rules.ts';
import { type AskingMapping, type Mapping, MappingInvalid, parseMapping } from './schema/mappingSchema.ts';
import { type IssuerPart, issuerParts, withoutUnset } from './schema/ofIssuer.ts';
import { sourcesOf } from './sources.ts';

/** Where other systems are asked first, it responds as a promise. */
type AskingHandler<TEvent> = (event: TEvent) => UserLoginResponse | Promise<UserLoginResponse>;

/** @throws {MappingInvalid} with the path of each mistake in the mapping */
export function mappingHandler<TEvent>(
  kind: Kind<TEvent>,
  mapping: Mapping,
): (event: TEvent) => UserLoginResponse;
export function mappingHandler<TEvent>(kind: Kind<TEvent>, mapping: AskingMapping): AskingHandler<TEvent>;
export function mappingHandler<TEvent>(kind: Kind<TEvent>, mapping: AskingMapping): AskingHandler<TEvent> {
  const { names, read, ask } = kind;
  const parsed = parseMapping(mapping);
  const own = configuration(names.kind);
  const { issuers, messages = {} } = parsed;
  const listed = Object.keys(issuers ?? {});
  const areSeveral = !issuers || listed.length > 1;
  const parts = issuerParts(parsed).map((part) => ({
    ...part,
    compiled: compiledPart(part, names, { areSeveral, settings: own.settings }),
    sources: sourcesOf(part, names.kind),
    mapping,
  }));
  const byIssuer = new Map(parts.map((part) => [part.issuer, part]));
  const partOf = (issuer: string) => byIssuer.get(issuers ? issuer : null);
  const ofIssuer = (issuer: string) =>
    partOf(issuer) ?? { compiled: () => nearIssuer('The mapping', listed, issuer), messages, mapping };
  const decided = (event: TEvent) => decideLogin(kind, event, ofIssuer, own);
  const asking: AskingHandler<TEvent> = (event) => {
    const sources = partOf(read(event).issuer)?.sources;
    return sources && ask ? ask(event, sources).then(() => decided(event)) : decided(event);
  };
  // Stryker disable next-line ConditionalExpression,MethodExpression: the other one decides the same, and reads the event twice.
  const handler = parts.some(({ sources }) => sources !== null) ? asking : decided;
  return Object.defineProperties(handler, { [KIND]: { value: names.kind }, [MAPPING]: { value: mapping } });
}

function compiledPart(
  { path, groups, rules: placedRules, external_id, trustsVerified, ...fields }: IssuerPart,
  defaults: DefaultNames,
  { areSeveral, settings }: Pick<MappingPlace, 'areSeveral' | 'settings'>,
): CompiledMapping {
  const rules = placedRules.map(({ rule }) => rule);
  const { clockSkewSeconds } = settings;
  const specs = {
    ...DEFAULT_FIELDS,
    ...withoutUnset(fields),
    external_id: { ...DEFAULT_FIELDS.external_id, ...withoutUnset(external_id ?? {}) },
  };
  requireProvableEmail(specs.email, defaults.kind, { path, trustsVerified });
  requireUsableRules(placedRules, groups, defaults.kind);
  const email = {
    ...specs.email,
    trustsVerified,
    addressTests: rules.filter(isEmailRule).map(addressMatcher),
  };
  return compiledMapping({ ...specs, email }, defaults, {
    access:
      groups || rules.length > 0
        ? compiledAccess(groups, placedRules, { emailSources: specs.email.from, defaults, clockSkewSeconds })
        : null,
    identifiers: identifierForm(specs.external_id, rules, defaults, { path, areSeveral, settings }),
  });
}

/** SAML itself proves no address: where proof is demanded and the issuer is not trusted to give it, nobody could log in. */
function requireProvableEmail(
  { unverified }: FieldSpec,
  kind: LoginKind,
  { path, trustsVerified }: Pick<IssuerPart, 'path' | 'trustsVerified'>,
): void {
  if (kind === 'OpenID' && trustsVerified) {
    throw new MappingInvalid(`${path}trust_email_verified: expected only in SAML mappings`);
  }
  if (kind === 'SAML' && unverified === 'demand_proof' && !trustsVerified) {
    throw new MappingInvalid(
      `${path}email.unverified: expected trust_email_verified: true for an issuer, because demand_proof needs a proof of the addresses`,
    );
  }
}
