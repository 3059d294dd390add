/**
 * Judges a finished CloudFormation template: it holds what `serverless` and the plugin make for the login functions, and what
 * the operator names with a reason. Everything else is refused, whatever it does.
 */
import { judgeFunction } from './functions.ts';
import { judgeResource } from './resources.ts';
import { judgeRole } from './role.ts';
import { LOGIN_FUNCTIONS, type Others, type Resource, resourceOf, Stack } from './stack.ts';
import { isMap, listOf, mapOf, textOf, variantsOf } from './values.ts';

const SECTIONS = [
  ...['AWSTemplateFormatVersion', 'Conditions', 'Description', 'Mappings', 'Metadata', 'Outputs'],
  ...['Parameters', 'Resources'],
];
/** What CloudFormation makes something else of before it reads the template. */
const REWRITTEN = /"Fn::(?:Transform|ForEach)/;

/**
 * @param template as it is uploaded
 * @param isPartial whether what is named need not be there, as in the template of an earlier deployment
 * @returns `problems`: sentences that begin with the logical id of a resource, or the name of a section; `notes`: what is told
 *   at each deployment, which is each name with its reason, and each layer
 */
export function judge(template: object, others: Others = {}, isPartial = false) {
  const sections = mapOf(JSON.parse(JSON.stringify(template)));
  const written = mapOf(sections.Resources);
  const stack = new Stack(written, others);
  const hidden = Object.keys(sections).filter(
    (name) => !SECTIONS.includes(name) || REWRITTEN.test(JSON.stringify(sections[name])),
  );
  if (!isMap(sections.Resources ?? {})) hidden.push('Resources');
  const problems = [
    ...hidden.map((name) => `${name}: expected a template that is written out, without this`),
    ...Object.entries(written).flatMap(([id, value]) => problemsOf(id, value, stack)),
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

/** In each way in which the conditions may turn out. */
function problemsOf(id: string, value: unknown, stack: Stack): string[] {
  const { Type, Properties = {} } = mapOf(value);
  if (typeof Type !== 'string' || !isMap(Properties))
    return [`${id}: expected a resource that is written out`];
  // As it is: of a setting with a condition it is not known what it will be.
  if (Object.hasOwn(LOGIN_FUNCTIONS, id)) return judgeFunction(resourceOf(id, value), stack);
  const variants = variantsOf(value).map((variant) => resourceOf(id, variant));
  if (variants.length === 0)
    return [`${id}: expected fewer conditions, because it cannot be judged with so many`];
  return variants.flatMap((resource) =>
    isRoleOfLogin(resource, stack) ? judgeRole(resource, stack) : judgeResource(resource, stack),
  );
}

/** Another role is another resource. */
function isRoleOfLogin(role: Resource, stack: Stack): boolean {
  return (
    role.type === 'AWS::IAM::Role' &&
    stack.loginFunctions.some(({ properties: { Role } }) => stack.referredTo(Role, 'Arn')?.id === role.id)
  );
}
