/**
 * Judges a finished CloudFormation template: it holds what `serverless` and the plugin make for the login functions, and what
 * the operator names with a reason. Everything else is refused, whatever it does.
 */
import { judgeFunction } from './functions.ts';
import { judgeResource } from './resources.ts';
import { judgeRole } from './role.ts';
import { LOGIN_FUNCTIONS, type Others, type Resource, Stack } from './stack.ts';
import { isMap, listOf, mapOf, textOf, variantsOf } from './values.ts';

const SECTIONS = [
  ...['AWSTemplateFormatVersion', 'Conditions', 'Description', 'Mappings', 'Metadata', 'Outputs'],
  ...['Parameters', 'Resources'],
];
/** What CloudFormation makes something else of before it reads the template. */
const REWRITTEN = /"Fn::(?:Transform|ForEach)/;
/** Resources of theirs are in no template that is judged; the last says of a function what permissions say. */
const NEVER = /^AWS::CloudFormation::Stack|::MODULE$|^AWS::Lambda::ResourcePolicy$/;
/** For access logs of REST APIs `serverless` makes a function and a role. */
const LOGS_OF_REST = /^(?:CustomDashresourceDashapigw|IamRoleCustomResources|CustomApiGatewayAccount)/;

const NAME_IT =
  'name it with a reason below custom.loginHooks.others, or put it into a stack of its own; docs/deploy.md shows how two stacks share a value';
const NEVER_NAMED =
  'naming this resource does not allow it; a stack of its own has it without the login functions';

/**
 * @param template as it is uploaded
 * @param isPartial whether what is named need not be there, as in the template of an earlier deployment
 * @returns `problems`: sentences that begin with the logical id of a resource, or the name of a section; `notes`: what is told
 *   at each deployment, which is each name with its reason, and each layer
 */
export function judge(template: object, others: Others = {}, isPartial = false) {
  const sections = mapOf(JSON.parse(JSON.stringify(template)));
  const resources = Object.entries(mapOf(sections.Resources));
  const stack = new Stack(
    resources.map(([id, value]) => resourceOf(id, value)),
    others,
  );
  const hidden = Object.keys(sections).filter(
    (name) => !SECTIONS.includes(name) || REWRITTEN.test(JSON.stringify(sections[name])),
  );
  if (!isMap(sections.Resources ?? {})) hidden.push('Resources');
  const problems = [
    ...hidden.map((name) => `${name}: expected a template that is written out, without this`),
    ...resources.flatMap(([id, value]) => problemsOf(id, value, stack)),
  ];
  const unused = isPartial ? [] : [...stack.others.keys()].filter((name) => !stack.used.has(name));
  const layers = stack.loginFunctions.flatMap(({ id, properties }) =>
    listOf(properties.Layers).map(
      (layer) => `${id} runs the layer ${textOf(layer) ?? JSON.stringify(layer)}`,
    ),
  );
  return {
    problems: [
      ...new Set(problems),
      ...unused.map((name) => `custom.loginHooks.others.${name}: names nothing that would be refused`),
    ],
    notes: [
      ...[...stack.used].map((name) => `${name} is named in custom.loginHooks.others: ${others[name]}`),
      ...layers,
    ],
  };
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
  const variants = Object.hasOwn(LOGIN_FUNCTIONS, id) ? [value] : variantsOf(value);
  if (variants.length === 0)
    return [`${id}: expected fewer conditions, because it cannot be judged with so many`];
  return variants.flatMap((variant) => problemsOfResource(resourceOf(id, variant), stack));
}

function problemsOfResource(resource: Resource, stack: Stack): string[] {
  const { id, type } = resource;
  const say = (problem: string, cure: string) => `${id}: ${type}: ${problem}: ${cure}`;
  if (NEVER.test(type)) return [say('nothing shows what it opens', NEVER_NAMED)];
  if (Object.hasOwn(LOGIN_FUNCTIONS, id)) return judgeFunction(resource, stack);
  if (isRoleOfLogin(resource, stack)) {
    const { open, unnamed } = judgeRole(resource, stack);
    return [
      ...open.map((problem) => say(problem, NEVER_NAMED)),
      ...unnamed.map((name) => `${name}: more than the login functions need: ${NAME_IT}`),
    ];
  }
  const refusal = judgeResource(resource, stack);
  if (refusal === null) return [];
  const logs = LOGS_OF_REST.test(id) ? 'set provider.logs.restApi.roleManagedExternally: true, or ' : '';
  return [say(refusal.problem, refusal.canBeNamed ? logs + NAME_IT : NEVER_NAMED)];
}

/** Another role is another resource. */
function isRoleOfLogin(role: Resource, stack: Stack): boolean {
  return (
    role.type === 'AWS::IAM::Role' &&
    stack.loginFunctions.some(({ properties: { Role } }) => stack.referredTo(Role, 'Arn')?.id === role.id)
  );
}
