/** What is odd about a mapping that loads: a name that is no pattern, and a denied group that nobody or the wrong people may be in. */

import { isAtEntra } from '../../lib/issuers.ts';
import { textOf } from '../../lib/profile/groups/matchGroups.ts';
import { textInValue, valuesIn } from '../../lib/profile/rules/claimRule.ts';
import { groupsOfRule, wantedGroups } from '../../lib/profile/rules/rules.ts';
import { parseDistinguishedName } from '../../lib/profile/schema/distinguishedName.ts';
import { type Group, type Mapping, parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { type IssuerPart, issuerParts } from '../../lib/profile/schema/ofIssuer.ts';
import { foldText, UUID } from '../../lib/text.ts';

/** A shorter name is part of many words. */
const MIN_TELLING_LENGTH = 4;

export function mappingWarnings(mapping: Mapping): string[] {
  return [...new Set(issuerParts(parseMapping(mapping)).flatMap(warningsOf))];
}

function warningsOf({ issuer, groups, rules }: IssuerPart): string[] {
  const granting = [
    ...(groups?.table.map(({ group }) => group) ?? []),
    ...rules.flatMap(({ rule }) => wantedGroups(rule)),
  ];
  const named = [...granting, ...rules.flatMap(({ rule }) => ('no_group' in rule ? rule.no_group : []))];
  const ofRules = rules.flatMap(({ rule, path }) => {
    const patterns = textsIn(rule)
      .filter(([, text]) => text.includes('*'))
      .map(([key, text]) => `${path}.${key}: ${JSON.stringify(text)} ${NO_PATTERN}`);
    if (!('no_group' in rule)) return patterns;
    const misleading = groups?.separator === undefined ? misleadingNames(rule.no_group, named) : [];
    const problems = [...misleading, ...rule.no_group.flatMap((denied) => otherForm(denied, granting))];
    return [...patterns, ...problems.map((problem) => `${path}.no_group: ${problem}`)];
  });
  const isCut = groups && groups.absent.length > 0 && isAtEntra(URL.parse(issuer ?? ''));
  return isCut ? [`${groups.path}.absent: ${ABSENT_AT_ENTRA}`, ...ofRules] : ofRules;
}

const ABSENT_AT_ENTRA =
  'Entra may leave out the groups if there are too many, so their absence does not prove that there are none.';

const NO_PATTERN =
  'has a "*", which stands for itself: there are no patterns. Write { prefix } or { suffix } for texts that begin or end so.';

/** The texts of a rule that compare with what arrives, each with its key. */
function textsIn(rule: Rule): (readonly [key: string, text: string])[] {
  if ('emails' in rule) return rule.emails.map((address) => ['emails', address] as const);
  if ('claim' in rule || 'attribute' in rule) {
    const key = 'is' in rule ? 'is' : 'is_not';
    return valuesIn(rule).map((value) => [key, textInValue(value) ?? ''] as const);
  }
  const key = 'any_group' in rule ? 'any_group' : 'no_group';
  return groupsOfRule(rule).map((group) => [key, textOf(group) ?? ''] as const);
}

/** Denied names that also refuse other people: part of another name of the mapping, or too short. */
function misleadingNames(denied: readonly Group[], named: readonly Group[]): string[] {
  const others = named.map(textOf).filter((text) => text !== null);
  return denied
    .map(textOf)
    .filter((text) => text !== null)
    .flatMap((name) => {
      const longer = others.find((other) => isPartOf(name, other));
      if (longer !== undefined) return `"${name}" is part of "${longer}".`;
      return name.length < MIN_TELLING_LENGTH
        ? `"${name}" has less than ${MIN_TELLING_LENGTH} characters.`
        : [];
    });
}

function isPartOf(name: string, other: string): boolean {
  const [part, whole] = [foldText(name), foldText(other)];
  return part !== whole && whole.includes(part);
}

/** How a provider writes a group: by a distinguished name, an id, a path or a name alone. */
type Form = 'dn' | 'id' | 'path' | 'name';

/** At most one problem: a denied group that is written as the provider writes no other group of the mapping. */
function otherForm(denied: Group, granting: readonly Group[]): string[] {
  const [example] = granting;
  if (example === undefined || granting.some((other) => mayEqual(denied, formOf(other)))) return [];
  const [own, written] = [denied, example].map((group) => JSON.stringify(group));
  const isId = [denied, example].some((group) => formOf(group) === 'id');
  const expected = isId ? 'one of that form' : JSON.stringify(inFormOf(example, denied));
  return [`${own} is not written as ${written} is, and may match no group: expected ${expected}.`];
}

/** A name is found in a path too, and a path of one segment among names. */
function mayEqual(denied: Group, form: Form): boolean {
  const own = formOf(denied);
  const isName = typeof denied === 'string' && (own === 'name' || own === 'path');
  return isName ? form === 'name' || form === 'path' : own === form;
}

function formOf(group: Group): Form {
  const text = textIn(group);
  if (parseDistinguishedName(text) !== null) return 'dn';
  if (UUID.test(text)) return 'id';
  return /[/\\:]/.test(text) ? 'path' : 'name';
}

function inFormOf(example: Group, denied: Group): unknown {
  const [name = ''] = ownNameIn(formOf(denied)).exec(textIn(denied)) ?? [];
  const text = textIn(example).replace(ownNameIn(formOf(example)), () => name);
  return typeof example === 'string' ? text : { [Object.keys(example).join()]: text };
}

/** Finds the group's own name: the first value of a distinguished name, or the last segment of a path. */
function ownNameIn(form: Form): RegExp {
  return form === 'dn' ? /(?<==)[^,]*/ : /[^/\\:]+(?=[/\\:]*$)/;
}

function textIn(group: Group): string {
  return typeof group === 'string' ? group : Object.values(group).join();
}
