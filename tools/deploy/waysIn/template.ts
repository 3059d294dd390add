/** A CloudFormation template as values whose texts are read only where they are plain. */

export type Values = Record<string, unknown>;

export interface Resource {
  /** Empty where it is no text. */
  type: string;
  properties: Values;
  /** `DeletionPolicy` and the like. */
  attributes: Values;
  /** Whether it is a map with a type and a map of properties, without transforms and loops. */
  isWrittenOut: boolean;
}

export type Resources = ReadonlyMap<string, Resource>;

const REWRITTEN = /^Fn::(Transform|ForEach)/;
const PLACEHOLDER = /\$\{([^}]*)\}/g;
/** What CloudFormation or API Gateway fills in later, whole or as the first part of it. */
const FILLED_IN_LATER = /\$\{|\{\{|[${]$/;
/** What CloudFormation knows itself, but for the one that takes a value away. */
const PSEUDO_PARAMETER = /^AWS::(AccountId|Partition|Region|StackId|StackName|URLSuffix)$/;

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

/** The variables of a function as Lambda makes texts of them; without those that CloudFormation fills in. */
export function textsOf(variables: Values): Record<string, string> {
  const known = Object.entries(variables).filter(([, value]) => !isFilledIn(value));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

/** What CloudFormation fills in is not known before a deployment. */
export function isFilledIn(value: unknown): boolean {
  return !['string', 'number', 'boolean'].includes(typeof value);
}

/** One value may stand in the place of a list of one. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export function resourcesOf(template: Values): Resources {
  return new Map(Object.entries(mapOf(template.Resources)).map(([id, resource]) => [id, read(resource)]));
}

function read(resource: unknown): Resource {
  const { Type, Properties = {}, ...attributes } = mapOf(resource);
  const isWrittenOut = typeof Type === 'string' && isMap(Properties) && !isRewritten(resource);
  return {
    type: typeof Type === 'string' ? Type : '',
    properties: mapOf(Properties),
    attributes,
    isWrittenOut,
  };
}

/** Whether CloudFormation makes something else of a value, or of a part of it, before it reads it. */
export function isRewritten(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => REWRITTEN.test(key) || isRewritten(item));
}

/**
 * The text that a value plainly is: literals as they are, `Ref` and `Fn::GetAtt` of resources as `${LogicalId}` and
 * `${LogicalId.Attribute}`, `Ref` of CloudFormation's own parameters as `${AWS::Region}`, `Fn::Join` and `Fn::Sub` of these.
 *
 * @returns undefined for anything else, such as a parameter, a condition, an import, or what is resolved later
 */
export function textOf(value: unknown, resources: Resources): string | undefined {
  if (typeof value === 'string') return FILLED_IN_LATER.test(value) ? undefined : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [[name = '', argument] = [], ...more] = Object.entries(value);
  if (more.length > 0 || !Object.hasOwn(READERS, name)) return undefined;
  return READERS[name]?.(argument, resources);
}

const READERS: Record<string, (argument: unknown, resources: Resources) => string | undefined> = {
  Ref: (name, resources) => reference(name, resources),
  'Fn::GetAtt': (argument, resources) =>
    reference(Array.isArray(argument) ? argument.join('.') : argument, resources),
  'Fn::Join': (argument, resources) => {
    const [separator, parts] = listOf(argument);
    const texts = [separator, ...listOf(parts)].map((part) => textOf(part, resources));
    return texts.includes(undefined) ? undefined : texts.slice(1).join(texts[0]);
  },
  'Fn::Sub': (argument, resources) => {
    const [pattern, variables = {}] = listOf(argument);
    if (typeof pattern !== 'string' || !isMap(variables)) return undefined;
    const texts = [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) =>
      Object.hasOwn(variables, name) ? textOf(variables[name], resources) : reference(name, resources),
    );
    const isLater = pattern.split(/\$\{[^}]*\}/).some((literal) => FILLED_IN_LATER.test(literal));
    if (isLater || texts.includes(undefined)) return undefined;
    return pattern.replaceAll(PLACEHOLDER, () => texts.shift() ?? '');
  },
};

/** A reference to a resource of this template, or to what CloudFormation knows itself. */
function reference(name: unknown, resources: Resources): string | undefined {
  if (typeof name !== 'string') return undefined;
  const isKnown = PSEUDO_PARAMETER.test(name) || resources.has(name.split('.')[0] ?? '');
  return isKnown ? `\${${name}}` : undefined;
}

/** The resource, of one of these types, whose `Ref` (or this attribute) a value plainly is. */
export function referredTo(
  value: unknown,
  resources: Resources,
  { types, attribute = '' }: { types: readonly string[]; attribute?: string },
): { id: string; resource: Resource } | undefined {
  const [, id = '', found = ''] = /^\$\{(\w+)(?:\.(\w+))?\}$/.exec(textOf(value, resources) ?? '') ?? [];
  const resource = resources.get(id);
  return resource && types.includes(resource.type) && found === attribute ? { id, resource } : undefined;
}
