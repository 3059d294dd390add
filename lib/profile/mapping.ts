/** Makes a handler out of a profile mapping: each login is decided by what the mapping says of its issuer. */

import { configuration } from '../readSettings.ts';
import { compiledMapping, type Guards } from './compiledMapping.ts';
import { decideLogin } from './decide.ts';
import { nearIssuer } from './fields/nearMiss.ts';
import type { DefaultNames } from './fields/reader.ts';
import { KIND, type Kind, MAPPING } from './kind.ts';
import type { UserLoginResponse } from './response.ts';
import { compiledAccess } from './rules/access.ts';
import { requireUsable } from './rules/ruleChecks.ts';
import { addressMatcher, isEmailRule } from './rules/rules.ts';
import { type AskingMapping, type Mapping, parseMapping } from './schema/mappingSchema.ts';
import { type IssuerPart, issuerParts } from './schema/ofIssuer.ts';
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
  const { names, issuerOf, ask } = kind;
  const parsed = parseMapping(mapping);
  const own = configuration(names.kind);
  const { issuers, messages = {} } = parsed;
  const listed = Object.keys(issuers ?? {});
  const parts = issuerParts(parsed).map((part) => {
    requireUsable(part, names, { areSeveral: listed.length !== 1, settings: own.settings });
    const sources = sourcesOf(part, names.kind);
    const guards = guardsOf(part, names, own.settings.clockSkewSeconds);
    return { ...part, compiled: compiledMapping(part, names, guards), sources, mapping };
  });
  const byIssuer = new Map(parts.map((part) => [part.issuer, part]));
  const partOf = (issuer: string) => byIssuer.get(issuers ? issuer : null);
  const ofIssuer = (issuer: string) =>
    partOf(issuer) ?? { compiled: () => nearIssuer('The mapping', listed, issuer), messages, mapping };
  const decided = (event: TEvent) => decideLogin(kind, event, ofIssuer, own);
  const asking: AskingHandler<TEvent> = (event) => {
    const sources = partOf(issuerOf(event))?.sources;
    return sources && ask ? ask(event, sources).then(() => decided(event)) : decided(event);
  };
  // Stryker disable next-line ConditionalExpression,MethodExpression: the other one decides the same, and reads the event twice.
  const handler = parts.some(({ sources }) => sources !== null) ? asking : decided;
  return Object.defineProperties(handler, { [KIND]: { value: names.kind }, [MAPPING]: { value: mapping } });
}

/** @param clockSkewSeconds by how much the clocks of the provider and of this function may differ */
function guardsOf(
  { groups, rules, email }: IssuerPart,
  defaults: DefaultNames,
  clockSkewSeconds: number,
): Guards {
  const tests = rules.flatMap(({ rule }) => (isEmailRule(rule) ? addressMatcher(rule) : []));
  if (groups === null && rules.length === 0) return { access: null, tests };
  const place = { emailSources: email.from, defaults, clockSkewSeconds };
  return { access: compiledAccess(groups, rules, place), tests };
}
