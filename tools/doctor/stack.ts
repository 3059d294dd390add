/** The stack of a stage as it was deployed last: its template, and what CloudFormation made of the template's names. */
import { GetTemplateCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { loginCodeOf } from '../deploy/waysIn/functionNames.ts';
import {
  isFilledIn,
  mapOf,
  type Resources,
  resourcesOf,
  textOf,
  type Values,
} from '../deploy/waysIn/template.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { CONFIGURATION, ofProject } from '../shared/project.ts';
import { SERVICE } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
import type { Aws } from './aws.ts';

export interface LoginFunction {
  /** In the template. */
  id: string;
  /** In Lambda. */
  name: string;
  properties: Values;
}

const PLACEHOLDER = /\$\{([^}]+)\}/g;
/** What CloudFormation reads at the deployment, of a parameter or a secret. */
const DYNAMIC = /\{\{resolve:/;
/** No text of a template has these characters. */
const [ANYTHING, ANY_WORD, ANY_ACCOUNT] = ['\uE000', '\uE001', '\uE002'];
const MARK = /([\uE000-\uE002])/;
const PATTERNS: Readonly<Record<string, string>> = {
  [ANYTHING]: '.*',
  [ANY_WORD]: '[^:/]*',
  [ANY_ACCOUNT]: String.raw`\d{12}`,
};
/** Each deployment publishes a version, whose name in AWS is an ARN. */
const OWN_FUNCTION = /^arn:[\w-]+:lambda:[\w-]+:(\d{12}):function:/;
/** Whose ARNs have no account. */
const WITHOUT_ACCOUNT = /^AWS::(?:S3|ApiGateway)/;

export class Stack {
  readonly name: string;
  readonly template: Values;
  readonly resources: Resources;
  /** By logical id, the names in AWS. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #account: string;

  constructor(name: string, template: Values, names: ReadonlyMap<string, string>) {
    this.name = name;
    this.template = template;
    this.resources = resourcesOf(template);
    this.#names = names;
    const accounts = Array.from(names.values(), (one) => OWN_FUNCTION.exec(one)?.[1]);
    this.#account = accounts.find((one) => one !== undefined) ?? ANY_ACCOUNT;
  }

  get loginFunctions(): LoginFunction[] {
    return this.ofType('AWS::Lambda::Function')
      .filter(({ properties }) => loginCodeOf(properties) !== undefined)
      .map((fn) => ({ ...fn, name: this.nameOf(fn.id) }));
  }

  ofType(type: string): { id: string; properties: Values }[] {
    return [...this.resources].flatMap(([id, resource]) =>
      resource.type === type ? [{ id, properties: resource.properties }] : [],
    );
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  /** Whether a value of the template names a function, or an alias or a version of it. */
  concerns(value: unknown, { name }: LoginFunction): boolean {
    return new RegExp(`(?:^|[:/${ANYTHING}])${name}(?::|$)`).test(this.text(value));
  }

  /** What a value of the template is in AWS, for a comparison with what is found there. */
  made(value: unknown): RegExp {
    return patternOf(this.text(value));
  }

  /** The same as a text with a mark for what only CloudFormation knows; empty for what is left out. */
  text(value: unknown): string {
    if (value === undefined) return '';
    if (!isFilledIn(value)) return DYNAMIC.test(String(value)) ? ANYTHING : String(value);
    const text = textOf(value, this.resources);
    return text?.replaceAll(PLACEHOLDER, (_, reference: string) => this.#made(reference)) ?? ANYTHING;
  }

  /** @param reference a logical id, alone or with an attribute, or a parameter of CloudFormation's own */
  #made(reference: string): string {
    if (reference === 'AWS::AccountId') return this.#account;
    if (reference.startsWith('AWS::')) return reference === 'AWS::StackName' ? this.name : ANY_WORD;
    const [id = '', attribute] = reference.split('.');
    const name = this.#names.get(id);
    if (name === undefined || (attribute !== undefined && attribute !== 'Arn')) return ANYTHING;
    if (attribute === undefined) return name;
    const account = WITHOUT_ACCOUNT.test(this.resources.get(id)?.type ?? '') ? '' : this.#account;
    return ['arn', ANY_WORD, ANY_WORD, ANY_WORD, account, ANYTHING + name].join(':');
  }
}

/** For people. @param text with marks for what is not known */
export function withoutMarks(text: string): string {
  return text
    .split(MARK)
    .map((part) => (part in PATTERNS ? '*' : part))
    .join('');
}

/** @param text with marks for what is not known */
export function patternOf(text: string): RegExp {
  const parts = text.split(MARK).map((part) => PATTERNS[part] ?? RegExp.escape(part));
  return new RegExp(`^${parts.join('')}$`);
}

/** @throws {UnusableInput} where the configuration does not have the name of the service written out */
export function stackName({ name }: Stage): string {
  if (SERVICE !== null) return `${SERVICE}-${name}`;
  const expected = 'expected a name that is written out, because the name of the stack begins with it';
  throw new UnusableInput(`${ofProject(CONFIGURATION)}: service: ${expected}`);
}

/** @returns undefined where no such stack is deployed, null where it could not be asked */
export async function deployedStack(aws: Aws, name: string): Promise<Stack | undefined | null> {
  const template = await aws.ask('cloudformation:GetTemplate', name, async () => {
    const { TemplateBody = '' } = await aws.stacks.send(new GetTemplateCommand({ StackName: name }));
    return mapOf(JSON.parse(TemplateBody));
  });
  if (!template) return template;
  const names = await aws.ask('cloudformation:ListStackResources', name, () => namesIn(aws, name));
  return names && new Stack(name, template, names);
}

async function namesIn(aws: Aws, StackName: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const page of paginateListStackResources({ client: aws.stacks }, { StackName }))
    for (const { LogicalResourceId = '', PhysicalResourceId } of page.StackResourceSummaries ?? [])
      if (PhysicalResourceId) names.set(LogicalResourceId, PhysicalResourceId);
  return names;
}
