/** What resources call that are no ways in of their own, by the places where their types name it. */
import { calleeOf, type Functions, NOTHING, OURS, type Way } from './functionNames.ts';
import { CALLERS, INERT, PLACES, type Place } from './table.ts';
import { isMap, type Resource, type Resources, textOf } from './template.ts';

/** ARNs of what is no function, and calls none under a role of its own. */
const NO_FUNCTION =
  /^arn:(?:aws[a-z-]*|\$\{AWS::Partition\}):(?:(?:automate|autoscaling|dynamodb|firehose|kinesis|kms|logs|s3|sns|sqs):|events:[^:]*:[^:]*:event-bus\/|ssm:[^:]*:[^:]*:opsitem:)/;

/** The names that a type may have in a table: its own, and that of its whole service. */
function namesOf(type: string): string[] {
  return /^AWS::\w+::\w+$/.test(type) ? [type, type.replace(/\w+$/, '*')] : [];
}

const ALL_PLACES = { ...CALLERS, ...PLACES };

function placesOf(type: string): readonly Place[] | undefined {
  const name = namesOf(type).find((one) => Object.hasOwn(ALL_PLACES, one));
  return name === undefined ? undefined : ALL_PLACES[name];
}

/** Whether a type is known to call nothing. */
export function isInert(type: string): boolean {
  return namesOf(type).some((name) => INERT.includes(name));
}

/** @returns what a resource calls; undefined where its type has no such places */
export function callsOf(resource: Resource, functions: Functions): Way[] | undefined {
  const { type, properties } = resource;
  if (isCustom(type)) return callsOfCustom(resource, functions);
  const places = placesOf(type);
  return places?.flatMap((place) =>
    valuesAt(properties, place.path.split('.'), place).map((value) => {
      const isMore = place.mixed === true && isNoFunction(value, functions.resources);
      return { form: 'call', callee: isMore ? NOTHING : calleeOf(value, functions) } as const;
    }),
  );
}

/** In a list, of each item. What is neither a map nor a list cannot be looked into, and is the value itself. */
function valuesAt(value: unknown, [name, ...rest]: string[], { unless }: Place): unknown[] {
  const place = { unless } as Place;
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest], place));
  if (name === undefined || !isMap(value)) return [value];
  if (name === '**') return Object.values(value).flatMap((item) => valuesAt(item, ['**'], place));
  if (name.startsWith('*')) {
    const named = Object.entries(value).filter(([key]) => key.endsWith(name.slice(1)));
    return named.flatMap(([, item]) => valuesAt(item, rest, place));
  }
  const said = value[unless?.property ?? ''];
  if (rest.length === 0 && typeof said === 'string' && unless?.values.includes(said)) return [];
  return valuesAt(value[name], rest, place);
}

/** A queue, a topic and the like: by its literal ARN, or a resource here that calls at most what is judged. */
function isNoFunction(value: unknown, resources: Resources): boolean {
  const text = textOf(value, resources) ?? '';
  const [, id = ''] = /^\$\{(\w+)(?:\.(?:Topic)?Arn)?\}$/.exec(text) ?? [];
  const { type = '' } = resources.get(id) ?? {};
  return NO_FUNCTION.test(text) || isInert(type) || placesOf(type) !== undefined;
}

function isCustom(type: string): boolean {
  return type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
}

/** A custom resource calls a function of this template, and tells it no function of ours. */
function callsOfCustom({ properties }: Resource, functions: Functions): Way[] {
  const { ServiceToken, FunctionName } = properties;
  const service = calleeOf(ServiceToken, functions);
  const isHere = service.kind === 'other' && service.id !== undefined;
  const callees = [
    isHere ? service : OURS,
    FunctionName === undefined ? NOTHING : calleeOf(FunctionName, functions),
    namesOurs(properties, functions) ? OURS : NOTHING,
  ];
  return callees.map((callee) => ({ form: 'call', callee }));
}

/** Whether a text anywhere in a value has the name, or the logical id, of a login function, its version or its alias. */
function namesOurs(value: unknown, functions: Functions): boolean {
  const isOurs = ([id, { type }]: [string, Resource]) =>
    type.startsWith('AWS::Lambda::') && calleeOf({ Ref: id }, functions).kind === 'ours';
  const ids = [...functions.resources].filter(isOurs).map(([id]) => id);
  const names = [...functions.login.values()].map(({ properties }) => properties.FunctionName);
  const texts = textsIn(value, functions.resources);
  return [...ids, ...names].some(
    (word) => typeof word === 'string' && texts.some((text) => text.includes(word)),
  );
}

/** All texts in a value, those that are put together too. */
function textsIn(value: unknown, resources: Resources): string[] {
  const text = textOf(value, resources);
  if (text !== undefined || typeof value !== 'object' || value === null) return [text ?? String(value)];
  return Object.values(value).flatMap((item) => textsIn(item, resources));
}
