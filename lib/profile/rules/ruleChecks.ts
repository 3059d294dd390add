/** What makes a rule a mistake beside the rest of its mapping. */
import type { LoginKind } from '../../kinds.ts';
import { inWords } from '../../text.ts';
import { spellingForDenial } from '../groups/deniedGroups.ts';
import { distinguishedNameOf, textOf } from '../groups/matchGroups.ts';
import { type Group, MappingInvalid } from '../schema/mappingSchema.ts';
import type { PlacedRule } from '../schema/ofIssuer.ts';
import { DEFAULTS, type Source } from '../schema/profileFields.ts';
import type { PlacedGroups } from './access.ts';
import { wantedGroups } from './rules.ts';

/** @throws {MappingInvalid} */
export function requireUsableRules(
  rules: readonly PlacedRule[],
  groups: PlacedGroups | null,
  kind: LoginKind,
): void {
  const { from = [DEFAULTS], path = 'groups' } = groups ?? {};
  requireNamedSources(rules, from, `${path}.from`, kind);
  if (groups) requireUsableSeparator(rules, groups);
  for (const rule of rules) {
    requireRuleOf(kind, rule);
    requireKnownSources(rule, from);
  }
}

/** A rule that denies needs evidence of each source: of the defaults, no provider sends all. */
function requireNamedSources(
  rules: readonly PlacedRule[],
  sources: readonly Source[],
  path: string,
  kind: LoginKind,
): void {
  const isDefault = (source: Source) => (source as { use?: string }).use === 'defaults';
  const denying = rules.find(({ rule }) => 'no_group' in rule && (rule.from ?? sources).some(isDefault));
  if (!denying) return;
  const example = kind === 'OpenID' ? 'groups' : 'memberOf';
  throw new MappingInvalid(
    `${path}: expected the names of the sources instead of DEFAULTS, because ${denying.path}.no_group needs ` +
      `evidence of each, e.g. groups: { from: ['${example}'] }`,
  );
}

/** A group that holds the separator could never equal a part of a text. */
function requireUsableSeparator(
  rules: readonly PlacedRule[],
  { separator = 'none', table, path }: PlacedGroups,
): void {
  if (separator === 'none') return;
  const wanted = [...table.map(({ group }) => group), ...rules.flatMap(({ rule }) => wantedGroups(rule))];
  const denied = rules.flatMap(({ rule }) => ('no_group' in rule ? rule.no_group : []));
  const holder =
    wanted.find((group) => holdsSeparator(group, separator)) ??
    denied.find((group) => holdsSeparator(group, separator, spellingForDenial));
  if (holder === undefined) return;
  throw new MappingInvalid(
    `${path}.separator: expected a text that is in none of the groups that the mapping names, unlike ` +
      `${JSON.stringify(separator)} in ${JSON.stringify(holder)}`,
  );
}

/**
 * Each distinguished name is written with some of `,+=`, spelled as the mapping has it or otherwise.
 *
 * @param form the form in which texts compare; default: as they are
 */
function holdsSeparator(group: Group, separator: string, form = (text: string) => text): boolean {
  const name = distinguishedNameOf(group);
  const isIn = form(`${textOf(group) ?? name}`).includes(form(separator));
  return isIn || (name !== null && /[,+=]/.test(separator + form(separator)));
}

/** A rule about what the logins of this kind do not have would refuse everybody. */
function requireRuleOf(kind: LoginKind, { rule, path }: PlacedRule): void {
  const [own, other] = kind === 'SAML' ? ['attribute', 'claim'] : ['claim', 'attribute'];
  if (other in rule)
    throw new MappingInvalid(
      `${path}.${other}: expected ${own}, because this is a mapping of ${kind} logins`,
    );
  const demands = kind === 'SAML' && 'assurance' in rule ? rule.assurance : null;
  const absent = (['acr', 'amr', 'acrs'] as const).find((demand) => demands?.[demand]);
  if (absent)
    throw new MappingInvalid(
      `${path}.assurance.${absent}: expected only in OpenID mappings, because a SAML event does not have it`,
    );
}

/** A rule that names its sources names some of those from which groups are read. */
function requireKnownSources({ rule, path }: PlacedRule, sources: readonly Source[]): void {
  if (!('any_group' in rule || 'no_group' in rule)) return;
  const known = sources.map(sourceText);
  const named = rule.from?.map(sourceText) ?? [];
  const index = named.findIndex((source) => !known.includes(source));
  if (index === -1) return;
  throw new MappingInvalid(
    `${path}.from[${index}]: expected a source of groups.from, ${inWords(known, 'or')}, found ${named[index]}`,
  );
}

/** A source as the mapping writes it. */
function sourceText(source: Source): string {
  if (typeof source === 'string') return JSON.stringify(source);
  return source.use === 'defaults' ? 'DEFAULTS' : 'NAME_ID';
}
