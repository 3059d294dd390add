/** What is odd about a mapping that loads. */
import { isAtEntra } from '../../lib/issuers.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type IssuerPart, issuerParts, type PlacedRule } from '../../lib/profile/schema/ofIssuer.ts';

export function mappingWarnings(mapping: Mapping): string[] {
  return [...new Set(issuerParts(parseMapping(mapping)).flatMap(warningsOf))];
}

const ABSENT_AT_ENTRA =
  'Entra may leave out the groups if there are too many, so their absence does not prove that there are none.';

const NO_PATTERN =
  'has a "*", which stands for itself: there are no patterns. Write { prefix } or { suffix } for texts that begin or end so.';

function warningsOf({ issuer, groups, rules }: IssuerPart): string[] {
  const isCut = groups && groups.absent.length > 0 && isAtEntra(URL.parse(issuer ?? ''));
  return [...(isCut ? [`${groups.path}.absent: ${ABSENT_AT_ENTRA}`] : []), ...rules.flatMap(patternsIn)];
}

/** Keys of rules whose texts are compared with what arrives. */
const COMPARED = ['emails', 'is', 'is_not', 'any_group', 'no_group'];

function patternsIn({ rule, path }: PlacedRule): string[] {
  const compared = Object.entries(rule).filter(([key]) => COMPARED.includes(key));
  return compared.flatMap(([key, values]) =>
    Array.from(values, textIn)
      .filter((text) => text.includes('*'))
      .map((text) => `${path}.${key}: ${JSON.stringify(text)} ${NO_PATTERN}`),
  );
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : Object.values(Object(value)).join();
}
