/** The resources of a template, what an operator named of them, and which function a value means. */
import { ALL_FUNCTION_NAMES, type FunctionName } from '../../shared/functions.ts';
import { capitalised } from '../../shared/readable.ts';
import { mapOf, textOf, type Values } from './values.ts';

export interface Resource {
  id: string;
  type: string;
  properties: Values;
  /** `DeletionPolicy` and the like. */
  attributes: Values;
}

export function resourceOf(id: string, value: unknown): Resource {
  const { Type, Properties = {}, ...attributes } = mapOf(value);
  return { id, type: typeof Type === 'string' ? Type : '', properties: mapOf(Properties), attributes };
}

/** By what the operator names, the reason; null leaves an entry out. */
export type Others = Readonly<Record<string, string | null>>;

/** The login functions by their logical ids, as `serverless` makes them. */
export const LOGIN_FUNCTIONS: Readonly<Record<string, FunctionName>> = Object.fromEntries(
  ALL_FUNCTION_NAMES.map((name) => [`${capitalised(name)}LambdaFunction`, name]),
);

export const NAME_IT =
  'name it with a reason below custom.loginHooks.others, or put it into a stack of its own; docs/deploy.md shows how two stacks share a value';

/** What is refused although it is named. */
export function neverNamed({ id, type }: Resource, problem: string): string {
  return `${id}: ${type}: ${problem}: naming this resource does not allow it; a stack of its own has it without the login functions`;
}

/** Any path to `dist/functions/…` has this in it, however it is written. */
const OF_BUNDLE = /\bfunctions\//;
/** A function of the template with an alias, or as API Gateway has it in a URI. */
const FUNCTION =
  /^(?:arn:[^/]*:lambda:path\/[\d-]+\/functions\/)?\$\{(\w+)(?:\.Arn)?\}(?::([\w-]+))?(?:\/(?:response-streaming-)?invocations)?$/;

/**
 * A login function that checks the signature of its callers, or one that does not; another function of the template, which the
 * operator named; or what may be a login function.
 */
export type Callee = 'signed' | 'unsigned' | 'named' | 'unknown';

export class Stack {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly others: ReadonlyMap<string, string>;
  /** Those of `others` that are there. */
  readonly used = new Set<string>();

  /** @param written as the template has them */
  constructor(written: Values, others: Others) {
    this.resources = new Map(Object.entries(written).map(([id, value]) => [id, resourceOf(id, value)]));
    const named = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== null);
    this.others = new Map(named);
  }

  get loginFunctions(): Resource[] {
    return Object.keys(LOGIN_FUNCTIONS).flatMap((id) => this.resources.get(id) ?? []);
  }

  ofType(type: string): Resource[] {
    return [...this.resources.values()].filter((resource) => resource.type === type);
  }

  isNamed(name: string | undefined): boolean {
    if (name === undefined || !this.others.has(name)) return false;
    this.used.add(name);
    return true;
  }

  /** The resource that a value refers to, by `Ref` or by this attribute. */
  referredTo(value: unknown, attribute?: string): Resource | undefined {
    const [, id = '', found] = /^\$\{(\w+)(?:\.(\w+))?\}$/.exec(textOf(value) ?? '') ?? [];
    return found === attribute ? this.resources.get(id) : undefined;
  }

  /** @param value in the place of a function */
  calleeOf(value: unknown): Callee {
    const [, id = '', alias] = FUNCTION.exec(textOf(value) ?? '') ?? [];
    const fn = this.resources.get(id);
    if (fn === undefined) return 'unknown';
    if (!Object.hasOwn(LOGIN_FUNCTIONS, id)) return this.#isOther(fn) ? 'named' : 'unknown';
    const isMade = this.ofType('AWS::Lambda::Alias').some(
      ({ properties: { Name, FunctionName } }) => Name === alias && this.referredTo(FunctionName)?.id === id,
    );
    if (alias !== undefined && !isMade) return 'unknown';
    return isSigned(fn) ? 'signed' : 'unsigned';
  }

  /** Whether a resource is a function that the operator named, and plainly runs no login function. */
  #isOther({ id, type, properties: { Handler, Environment } }: Resource): boolean {
    const isOfBundle = OF_BUNDLE.test(JSON.stringify([Handler, Environment]));
    return type === 'AWS::Lambda::Function' && typeof Handler === 'string' && !isOfBundle && this.isNamed(id);
  }
}

/** Only a literal setting counts: of anything else it is not known what it will be. */
export function isSigned({ properties }: Resource): boolean {
  return variablesOf(properties).CALLER_CHECK === 'signature';
}

export function variablesOf({ Environment }: Values): Values {
  return mapOf(mapOf(Environment).Variables);
}
