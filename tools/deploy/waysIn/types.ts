/** What a resource is to login functions, by its type. */
import { isStale, waysOfApi, waysOfAuthorizer } from './apis.ts';
import { calleeOf, type Functions, isAliasOfNow, isPublishedNow, OURS, type Way } from './functionNames.ts';
import { formOfPermission, formsOfResourcePolicy } from './permissions.ts';
import { callsOf, isInert } from './places.ts';
import { formsOfPolicy, formsOfRole } from './rights.ts';
import { waysOfListener, waysOfMethod, waysOfRoute, waysOfUrl } from './routes.ts';
import { CALLERS, type FormName } from './table.ts';
import type { Resource, Values } from './template.ts';

type Judge = (resource: Resource, functions: Functions, id: string) => Way[];

const ways =
  (waysOfProperties: (properties: Values, functions: Functions) => Way[]): Judge =>
  ({ properties }, functions) =>
    waysOfProperties(properties, functions);
const refusing = (forms: readonly FormName[]): Way[] => forms.map((form) => ({ form, callee: OURS }));
const judgeStale: Judge = ({ type, properties }, { resources }, id) =>
  refusing(isStale(type, id, properties, resources) ? ['deployment'] : []);
const judgePolicy: Judge = (policy, functions) => refusing(formsOfPolicy(policy, functions));

const FUNCTION = 'AWS::Lambda::Function';
/** `serverless` keeps versions: what calls one is judged. */
const PUBLISHED = 'AWS::Lambda::Version';

const JUDGES: Readonly<Record<string, Judge>> = {
  'AWS::ApiGateway::Authorizer': ways(waysOfAuthorizer),
  'AWS::ApiGateway::Deployment': judgeStale,
  'AWS::ApiGateway::Method': ways(waysOfMethod),
  'AWS::ApiGateway::RestApi': ways(waysOfApi),
  'AWS::ApiGateway::Stage': judgeStale,
  'AWS::ApiGatewayV2::Api': ways(waysOfApi),
  'AWS::ApiGatewayV2::Authorizer': ways(waysOfAuthorizer),
  'AWS::ApiGatewayV2::Deployment': judgeStale,
  // Its routes are judged.
  'AWS::ApiGatewayV2::Integration': () => [],
  'AWS::ApiGatewayV2::Route': ways(waysOfRoute),
  'AWS::ApiGatewayV2::Stage': judgeStale,
  'AWS::ElasticLoadBalancingV2::Listener': ways(waysOfListener),
  'AWS::ElasticLoadBalancingV2::ListenerRule': ways(waysOfListener),
  // The listeners that forward to it are judged.
  'AWS::ElasticLoadBalancingV2::TargetGroup': () => [],
  'AWS::IAM::ManagedPolicy': judgePolicy,
  'AWS::IAM::Policy': judgePolicy,
  'AWS::IAM::Role': (role, functions, id) => refusing(formsOfRole(role, id, functions)),
  'AWS::IAM::RolePolicy': judgePolicy,
  'AWS::Lambda::Alias': ({ properties }, functions) => {
    const form = isAliasOfNow(properties, functions.resources) ? 'identified' : 'alias';
    return [{ form, callee: calleeOf(properties.FunctionName, functions) }];
  },
  'AWS::Lambda::Permission': ({ properties }, functions) => {
    const form = formOfPermission(properties, functions.resources);
    return [{ form, callee: calleeOf(properties.FunctionName, functions) }];
  },
  'AWS::Lambda::ResourcePolicy': ({ properties }, functions) => {
    const callee = calleeOf(properties.ResourceArn, functions);
    const forms = formsOfResourcePolicy(properties.PolicyDocument, functions.resources);
    return forms.map((form) => ({ form, callee }));
  },
  'AWS::Lambda::Url': ways(waysOfUrl),
  [PUBLISHED]: ({ properties }, functions, id) => {
    const form = isPublishedNow(id) && properties.Policy === undefined ? 'identified' : 'version';
    return [{ form, callee: calleeOf(properties.FunctionName, functions) }];
  },
};

export function waysOf(id: string, resource: Resource, functions: Functions): Way[] {
  const { type, isWrittenOut } = resource;
  if (!isWrittenOut) return refusing(['hidden']);
  if (type === FUNCTION) {
    return refusing(functions.login.has(id) || functions.others.has(id) ? [] : ['function of this code']);
  }
  const judgeOfType = Object.hasOwn(JUDGES, type) ? JUDGES[type] : undefined;
  const calls = judgeOfType?.(resource, functions, id) ?? callsOf(resource, functions);
  if (calls === undefined) return isInert(type) ? [] : refusing(['unknown type']);
  return isKept(resource) ? [...calls, ...refusing(['retained'])] : calls;
}

/** Whether what leads to a function lives on when the template has it no longer. Data may. */
function isKept({ type, attributes }: Resource): boolean {
  const isJudged = (Object.hasOwn(JUDGES, type) && type !== PUBLISHED) || Object.hasOwn(CALLERS, type);
  return (
    isJudged &&
    ['DeletionPolicy', 'UpdateReplacePolicy'].some((name) => (attributes[name] ?? 'Delete') !== 'Delete')
  );
}
