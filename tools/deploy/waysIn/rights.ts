/** Which roles may invoke a login function, or may lead to what does. */
import { calleeOf, type Functions } from './functionNames.ts';
import { allowing, isTrustPlain, rolesNamed } from './principals.ts';
import { type FormName, HARMLESS_MANAGED_POLICIES } from './table.ts';
import { isMap, listOf, type Resource, type Resources, referredTo, textOf, type Values } from './template.ts';

const MANAGED_BY_AWS = /^arn:(?:aws[a-z-]*|\$\{AWS::Partition\}):iam::aws:policy\/(.+)$/;
const ROLE = ['AWS::IAM::Role'];
const MANAGED_POLICY = 'AWS::IAM::ManagedPolicy';

/** By service, the actions that neither invoke a function nor lead to what does; of services that are not here, all are. */
const HARMLESS_ACTIONS: Readonly<Record<string, RegExp>> = {
  apigateway: /^get$/,
  cloudformation: /^(describe|get|list)/,
  'execute-api': /^(manageconnections|invalidatecache)$/,
  iam: /^(get|list)/,
  lambda: /^(get|list)/,
  ssm: /^(describe|get|list)/,
  states: /^(describe|get|list)/,
  sts: /^get/,
};

/** @param document of a policy */
function mayInvoke(document: unknown, functions: Functions): boolean {
  return allowing(document).some((statement) => {
    if (statement === undefined) return true;
    const actions = listOf(statement.Action).filter((action) => !isHarmless(action));
    const isOfOthers = actions.every(isInvoking) && namesOthersAlone(statement, functions);
    return actions.length > 0 && !isOfOthers;
  });
}

function isHarmless(action: unknown): boolean {
  if (typeof action !== 'string') return false;
  const [service = '', name = ''] = action.toLowerCase().split(':');
  if (/[*?]/.test(service)) return false;
  return !Object.hasOwn(HARMLESS_ACTIONS, service) || HARMLESS_ACTIONS[service]?.test(name) === true;
}

function isInvoking(action: unknown): boolean {
  return typeof action === 'string' && /^lambda:invoke/i.test(action);
}

function namesOthersAlone({ Resource }: Values, functions: Functions): boolean {
  const named = listOf(Resource);
  return named.length > 0 && named.every((one) => calleeOf(one, functions).kind === 'other');
}

/** Whether a role of this template may invoke a login function, by all policies that the template has for it. */
export function roleMayInvoke(id: string, { properties }: Resource, functions: Functions): boolean {
  const inline = listOf(properties.Policies).map((policy) =>
    isMap(policy) ? policy.PolicyDocument : undefined,
  );
  const attached = [...functions.resources.values()]
    .filter((policy) => rolesOf(policy, functions.resources).has(id))
    .map((policy) => policy.properties.PolicyDocument);
  return (
    [...inline, ...attached].some((document) => mayInvoke(document, functions)) ||
    listOf(properties.ManagedPolicyArns).some((arn) => managedMayInvoke(arn, functions))
  );
}

function managedMayInvoke(arn: unknown, functions: Functions): boolean {
  const here = referredTo(arn, functions.resources, { types: [MANAGED_POLICY] });
  if (here !== undefined) return mayInvoke(here.resource.properties.PolicyDocument, functions);
  const [, name = ''] = MANAGED_BY_AWS.exec(textOf(arn, functions.resources) ?? '') ?? [];
  return !HARMLESS_MANAGED_POLICIES.includes(name);
}

/** Logical ids of the roles that a policy apart from them is for, by reference or by what may be their name. */
function rolesOf(policy: Resource, resources: Resources): Set<string> {
  const ids = attachedTo(policy).flatMap((value) => {
    const here = referredTo(value, resources, { types: ROLE });
    if (here !== undefined) return [here.id];
    return typeof value === 'string' ? rolesNamed([value], resources).map(([id]) => id) : [];
  });
  return new Set(ids);
}

function attachedTo({ type, properties }: Resource): unknown[] {
  if (type === 'AWS::IAM::RolePolicy') return listOf(properties.RoleName);
  return type === 'AWS::IAM::Policy' || type === MANAGED_POLICY ? listOf(properties.Roles) : [];
}

export function formsOfRole(role: Resource, id: string, functions: Functions): FormName[] {
  const isRefused = roleMayInvoke(id, role, functions) && !isTrustPlain(role, functions.resources);
  return isRefused ? ['role for the unknown'] : [];
}

export function formsOfPolicy(policy: Resource, functions: Functions): FormName[] {
  const isPlain = (value: unknown) =>
    typeof value === 'string' || referredTo(value, functions.resources, { types: ROLE }) !== undefined;
  if (attachedTo(policy).every(isPlain) || !mayInvoke(policy.properties.PolicyDocument, functions)) return [];
  return ['policy for the unknown'];
}

/** The roles outside the template, by name, that a policy lets invoke login functions. */
export function rolesElsewhere(policy: Resource, functions: Functions): string[] {
  const names = attachedTo(policy)
    .filter((value) => typeof value === 'string')
    .filter((name) => rolesNamed([name], functions.resources).length === 0);
  return mayInvoke(policy.properties.PolicyDocument, functions) ? names : [];
}
