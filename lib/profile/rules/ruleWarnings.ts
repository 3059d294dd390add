/** What is odd about the rules of a mapping, told when the mapping is made. */

import { foldText, UUID } from '../../text.ts';
import { textOf } from '../groups/matchGroups.ts';
import { parseDistinguishedName } from '../schema/distinguishedName.ts';
import type { Group, Rule } from '../schema/mappingSchema.ts';
import { textInValue, valuesIn } from './claimRule.ts';
import { groupsOfRule, type PlacedRule } from './rules.ts';

/** A shorter name is part of many words. */
const MIN_TELLING_LENGTH = 4;

/** Warns through Node's own warnings: a mapping is made while a module loads, before there is a login or a log of one. */
export function warn(problem: string): void {
  process.emitWarning(problem, 'MappingWarning');
}

/**
 * @param table the groups of its rows
 * @param isWhole whether the mapping says how a text is read that may be several groups
 */
export function warnOfRules(rules: readonly PlacedRule[], table: readonly Group[], isWhole: boolean): void {
  const ofRules = (kind: 'any_group' | 'no_group') =>
    rules.flatMap(({ rule }) => (kind in rule ? groupsOfRule(rule) : []));
  const granting = [...table, ...ofRules('any_group')];
  const named = [...granting, ...ofRules('no_group')];
  for (const { rule, path } of rules) {
    for (const [key, text] of textsIn(rule)) {
      if (text.includes('*')) warn(`${path}.${key}: ${JSON.stringify(text)} ${NO_PATTERN}`);
    }
    if (!('no_group' in rule)) continue;
    const misleading = isWhole ? [] : misleadingNames(rule.no_group, named);
    const problems = [...misleading, ...rule.no_group.flatMap((denied) => otherForm(denied, granting))];
    for (const problem of problems) warn(`${path}.no_group: ${problem}`);
  }
}

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
