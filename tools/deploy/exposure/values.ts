/** A CloudFormation template as values whose texts are read only where they are plain. */

export type Values = Record<string, unknown>;

/** A map that is written out: no list, and no intrinsic function in its place. */
export function isMap(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [name = '', ...more] = Object.keys(value);
  return more.length > 0 || (name !== 'Ref' && !name.startsWith('Fn::'));
}

/** The map that a value is; an empty one in the place of anything else. */
export function mapOf(value: unknown): Values {
  return isMap(value) ? value : {};
}

/** One value may stand in the place of a list of one. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** What CloudFormation fills in is not known before a deployment. */
export function isFilledIn(value: unknown): boolean {
  return !['string', 'number', 'boolean'].includes(typeof value);
}

/** The variables of a function as Lambda makes texts of them; without those that CloudFormation fills in. */
export function textsOf(variables: Values): Record<string, string> {
  const known = Object.entries(variables).filter(([, value]) => !isFilledIn(value));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

const PLACEHOLDER = /\$\{([^}]*)\}/g;
/** What CloudFormation fills in later, whole or as the first part of it. */
const FILLED_IN_LATER = /\$\{|\{\{|[${]$/;

/**
 * The text that a value plainly is: literals as they are, `Ref` and `Fn::GetAtt` as `${LogicalId}` and
 * `${LogicalId.Attribute}`, `Fn::Join` and `Fn::Sub` of these. A parameter has an id too, but no resource has the same.
 *
 * @returns undefined for anything else, such as an import, a mapping, or what is resolved later
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return FILLED_IN_LATER.test(value) ? undefined : value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const [[name = '', argument] = [], ...more] = Object.entries(value);
  if (more.length > 0) return undefined;
  if (name === 'Ref') return `\${${argument}}`;
  if (name === 'Fn::GetAtt') return `\${${listOf(argument).join('.')}}`;
  if (name === 'Fn::Join') {
    const [separator, parts] = listOf(argument);
    const texts = [separator, ...listOf(parts)].map(textOf);
    return texts.includes(undefined) ? undefined : texts.slice(1).join(texts[0]);
  }
  // Its placeholders are written as references are here.
  const isSubstitution = name === 'Fn::Sub' && typeof argument === 'string';
  return isSubstitution && !FILLED_IN_LATER.test(argument.replaceAll(PLACEHOLDER, '-'))
    ? argument
    : undefined;
}

/** More conditions than this in one resource are not tried out. */
const MAX_CONDITIONS = 6;

/**
 * A value in each way in which its conditions may turn out.
 *
 * @returns an empty list where it has too many conditions
 */
export function variantsOf(value: unknown): unknown[] {
  const written = JSON.stringify(value).matchAll(/"Fn::If":\["([^"]+)"/g);
  const names = [...new Set(Array.from(written, ([, name]) => name))];
  if (names.length > MAX_CONDITIONS) return [];
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    resolved(value, (name) => (bits & (1 << names.indexOf(name))) !== 0),
  );
}

/** With one branch in the place of each condition; what is `AWS::NoValue` is left out. */
function resolved(value: unknown, isTrue: (condition: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::If' in value) {
    const [name, yes, no] = listOf(value['Fn::If']);
    return resolved(isTrue(String(name)) ? yes : no, isTrue);
  }
  if ('Ref' in value && value.Ref === 'AWS::NoValue') return undefined;
  const entries = Object.entries(value).map(([key, item]) => [key, resolved(item, isTrue)]);
  const kept = entries.filter(([, item]) => item !== undefined);
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}
