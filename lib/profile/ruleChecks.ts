/** What makes a rule a mistake beside the rest of its mapping. */
import type { LoginKind } from '../kinds.ts';
import { inWords } from '../text.ts';
import { MappingInvalid } from './mappingSchema.ts';
import type { Source } from './reader.ts';
import type { PlacedRule } from './rules.ts';

/**
 * @param sources of the groups
 * @throws {MappingInvalid}
 */
export function requireUsableRule(placed: PlacedRule, kind: LoginKind, sources: readonly Source[]): void {
  requireRuleOf(kind, placed);
  requireKnownSources(placed, sources);
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
  const index = rule.from?.findIndex((source) => !known.includes(sourceText(source))) ?? -1;
  const odd = rule.from?.[index];
  if (odd === undefined) return;
  throw new MappingInvalid(
    `${path}.from[${index}]: expected a source of groups.from, ${inWords(known, 'or')}, found ${sourceText(odd)}`,
  );
}

/** A source as the mapping writes it. */
function sourceText(source: Source): string {
  if (typeof source === 'string') return JSON.stringify(source);
  return source.use === 'defaults' ? 'DEFAULTS' : 'NAME_ID';
}
