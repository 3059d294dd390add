/**
 * Judges a finished CloudFormation template: it holds what `serverless` and the plugin make for the login functions, and what
 * the operator names with a reason. Everything else is refused, whatever it does.
 */
import { differences, FORMS } from './forms.ts';
import { judgeFunction, layersOf, problemsOfEnvironment } from './functions.ts';
import { judgeRole } from './role.ts';
import { LOGIN_FUNCTIONS, type Resource, Stack } from './stack.ts';
import { isMap, isRewritten, mapOf, variantsOf } from './values.ts';
import { WAYS } from './ways.ts';

export interface Judgement {
  /** Sentences that begin with the logical id of a resource, or the name of a section. */
  problems: string[];
  /** What is told at each deployment: each name with its reason, and each layer. */
  notes: string[];
}

export type Others = Readonly<Record<string, string>>;

const SECTIONS = [
  ...['AWSTemplateFormatVersion', 'Conditions', 'Description', 'Mappings', 'Metadata', 'Outputs'],
  ...['Parameters', 'Resources'],
];
/** Resources of theirs are in no template that is judged; the last says of a function what permissions say. */
const NEVER = /^AWS::CloudFormation::Stack|::MODULE$|^AWS::Lambda::ResourcePolicy$/;
/** For access logs of REST APIs `serverless` makes a function and a role. */
const LOGS_OF_REST = /^(?:CustomDashresourceDashapigw|IamRoleCustomResources|CustomApiGatewayAccount)/;

const NAME_IT = 'name it with a reason below custom.loginHooks.others, or put it into a stack of its own';
const GUIDE = 'docs/deploy.md shows how two stacks share a value';
const NEVER_NAMED =
  'naming this resource does not allow it; a stack of its own has it without the login functions';

/**
 * @param template as it is uploaded
 * @param others by what the operator names, the reason
 * @param isPartial whether what is named need not be there, as in the template of an earlier deployment
 */
export function judge(template: object, others: Others = {}, isPartial = false): Judgement {
  const sections = mapOf(JSON.parse(JSON.stringify(template)));
  const resources = Object.entries(mapOf(sections.Resources));
  const stack = new Stack(new Map(resources.map(([id, value]) => [id, resourceOf(id, value)])), others);
  const hidden = Object.entries(sections).filter(([name, section]) => !isPlain(name, section));
  const problems = [
    ...hidden.map(([name]) => `${name}: expected a template that is written out, without this`),
    ...resources.flatMap(([id, value]) => problemsOf(id, value, stack)),
    ...stack.loginFunctions.flatMap(({ id, properties }) =>
      problemsOfEnvironment(properties).map((problem) => `${id}: ${problem}`),
    ),
  ];
  const unused = Object.keys(others).filter((name) => !isPartial && !stack.used.has(name));
  return {
    problems: [
      ...new Set(problems),
      ...unused.map((name) => `custom.loginHooks.others.${name}: names nothing that would be refused`),
    ],
    notes: [
      ...[...stack.used].map((name) => `${name} is named in custom.loginHooks.others: ${others[name]}`),
      ...stack.loginFunctions.flatMap(layersOf),
    ],
  };
}

function isPlain(name: string, section: unknown): boolean {
  return SECTIONS.includes(name) && !isRewritten(section) && (name !== 'Resources' || isMap(section));
}

function resourceOf(id: string, value: unknown): Resource {
  const { Type, Properties = {}, ...attributes } = mapOf(value);
  return { id, type: typeof Type === 'string' ? Type : '', properties: mapOf(Properties), attributes };
}

/** In each way in which the conditions may turn out. */
function problemsOf(id: string, value: unknown, stack: Stack): string[] {
  const { Type, Properties = {} } = mapOf(value);
  if (typeof Type !== 'string' || !isMap(Properties))
    return [`${id}: expected a resource that is written out`];
  const variants = variantsOf(value);
  if (variants.length === 0)
    return [`${id}: expected fewer conditions, because it cannot be judged with so many`];
  return variants.flatMap((variant) => problemsOfResource(resourceOf(id, variant), stack));
}

function problemsOfResource(resource: Resource, stack: Stack): string[] {
  const { id, type, properties } = resource;
  const say = (problem: string, cure: string) => `${id}: ${type}: ${problem}: ${cure}`;
  if (NEVER.test(type)) return [say('nothing shows what it opens', NEVER_NAMED)];
  if (Object.hasOwn(LOGIN_FUNCTIONS, id)) return judgeFunction(resource, stack);
  if (isRoleOfLogin(resource, stack)) {
    const { open, unnamed } = judgeRole(resource, stack);
    return [
      ...open.map((problem) => say(problem, NEVER_NAMED)),
      ...unnamed.map((name) => `${name}: more than the login functions need: ${NAME_IT}; ${GUIDE}`),
    ];
  }
  const way = Object.hasOwn(WAYS, type) ? WAYS[type] : undefined;
  const callee = way?.callee?.(properties, stack) ?? 'unknown';
  const isOfOther = callee === 'named' && stack.isNamed(id);
  const opening = isOfOther ? null : (way?.opening(properties, stack, callee) ?? null);
  if (opening !== null) return [say(opening, NEVER_NAMED)];
  const form = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
  const different = form === undefined ? [] : differences(resource, form, stack);
  if (isOfOther || (form !== undefined && different.length === 0) || stack.isNamed(id)) return [];
  const found =
    form === undefined
      ? 'serverless makes none for the login functions'
      : `not as serverless makes it (${different.join(', ')})`;
  const logs = LOGS_OF_REST.test(id) ? 'set provider.logs.restApi.roleManagedExternally: true, or ' : '';
  return [say(found, `${logs}${NAME_IT}; ${GUIDE}`)];
}

/** Another role is another resource. */
function isRoleOfLogin(role: Resource, stack: Stack): boolean {
  return (
    role.type === 'AWS::IAM::Role' &&
    stack.loginFunctions.some(({ properties: { Role } }) => stack.referredTo(Role, 'Arn')?.id === role.id)
  );
}
