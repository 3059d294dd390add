/** What function URLs, routes, methods and load balancers ask of their callers, and which function they call. */
import { type Callee, calleeOf, type Functions, NOTHING, OURS, type Way } from './functionNames.ts';
import { admitsIdentitiesAlone } from './permissions.ts';
import { type FormName, SCOPES_OF_EVERYBODY } from './table.ts';
import { isMap, listOf, mapOf, type Resources, referredTo, textOf, type Values } from './template.ts';

const ROUTES = 'AWS::ApiGatewayV2::Api';
const METHODS = 'AWS::ApiGateway::RestApi';
const NO_FUNCTION = ['HTTP', 'HTTP_PROXY', 'MOCK'];

export function waysOfUrl({ AuthType, TargetFunctionArn, Qualifier }: Values, functions: Functions): Way[] {
  const target =
    Qualifier === undefined ? TargetFunctionArn : { 'Fn::Join': [':', [TargetFunctionArn, Qualifier]] };
  return [{ form: AuthType === 'AWS_IAM' ? 'identified' : 'open URL', callee: calleeOf(target, functions) }];
}

export function waysOfRoute(route: Values, functions: Functions): Way[] {
  const { resources } = functions;
  const { IntegrationType, IntegrationSubtype, IntegrationUri } = integrationOf(route.Target, resources);
  const callee = calleeOfIntegration(IntegrationType, IntegrationUri, functions);
  const api = referredTo(route.ApiId, resources, { types: [ROUTES] })?.resource.properties;
  // An API that is made from a body says no protocol, and is an HTTP API.
  if (api === undefined || (api.ProtocolType ?? 'HTTP') !== 'HTTP') return [{ form: 'other API', callee }];
  const form = formOfAuthorization(route, functions);
  if (form !== 'open') return [{ form, callee }];
  const isProxy = IntegrationType === 'AWS_PROXY' && IntegrationSubtype === undefined;
  return [{ form: isProxy ? 'open route' : 'open service', callee }];
}

/** The integration of this template that a route's target names. */
function integrationOf(target: unknown, resources: Resources): Values {
  const [, id = ''] = /^integrations\/\$\{(\w+)\}$/.exec(textOf(target, resources) ?? '') ?? [];
  const { type, properties = {} } = resources.get(id) ?? {};
  return type === 'AWS::ApiGatewayV2::Integration' ? properties : {};
}

/** Of an integration, or of the one of a method. */
function calleeOfIntegration(type: unknown, uri: unknown, functions: Functions): Callee {
  return NO_FUNCTION.some((one) => one === type) ? NOTHING : calleeOf(uri, functions);
}

/** What a route or a method asks for; `open` where that is nothing, or not plain. */
function formOfAuthorization(way: Values, functions: Functions): FormName | 'open' {
  const { AuthorizationType, AuthorizerId, AuthorizationScopes } = way;
  if (AuthorizationType === 'AWS_IAM') return 'identified';
  const types = ['AWS::ApiGateway::Authorizer', 'AWS::ApiGatewayV2::Authorizer'];
  const authorizer = referredTo(AuthorizerId, functions.resources, { types })?.resource.properties ?? {};
  const type = authorizer.AuthorizerType ?? authorizer.Type;
  if (AuthorizationType === 'CUSTOM' && (type === 'REQUEST' || type === 'TOKEN')) {
    return calleeOf(authorizer.AuthorizerUri, functions).kind === 'other' ? 'identified' : 'open';
  }
  if (AuthorizationType !== type || (type !== 'JWT' && type !== 'COGNITO_USER_POOLS')) return 'open';
  return areOwnScopes(AuthorizationScopes) ? 'identified' : 'token of everybody';
}

/** One of the listed scopes is enough to pass. A scope has no blanks: RFC 6749, section 3.3. */
function areOwnScopes(scopes: unknown): boolean {
  const isOwn = (scope: unknown) =>
    typeof scope === 'string' && /^\S+$/.test(scope) && !SCOPES_OF_EVERYBODY.includes(scope.toLowerCase());
  return Array.isArray(scopes) && scopes.length > 0 && scopes.every(isOwn);
}

export function waysOfMethod(method: Values, functions: Functions): Way[] {
  const integration = mapOf(method.Integration);
  const callee = calleeOfIntegration(integration.Type, integration.Uri, functions);
  const api = referredTo(method.RestApiId, functions.resources, { types: [METHODS] })?.resource.properties;
  if (api === undefined) return [{ form: 'other API', callee }];
  return [{ form: formOfMethod(method, { integration, api }, functions), callee }];
}

function formOfMethod(
  method: Values,
  { integration, api }: { integration: Values; api: Values },
  functions: Functions,
): FormName {
  const form = formOfAuthorization(method, functions);
  const isUnderPolicy = !admitsIdentitiesAlone(api.Policy, functions.resources);
  const isAnyAccount = method.AuthorizationType === 'AWS_IAM' && isUnderPolicy;
  if (form === 'identified' && !isAnyAccount) return form;
  if (integration.Type !== 'AWS_PROXY') return 'open service';
  if (form === 'open') return 'open method';
  return isAnyAccount ? 'any account' : form;
}

/** Of a listener and of a rule: what an action before another identifies is any person of a provider. */
export function waysOfListener({ Actions, DefaultActions }: Values, functions: Functions): Way[] {
  return [Actions, DefaultActions]
    .flatMap(listOf)
    .flatMap((action) => calleesOfAction(action, functions))
    .map((callee) => ({ form: 'load balancer', callee }));
}

function calleesOfAction(action: unknown, functions: Functions): Callee[] {
  if (!isMap(action)) return [OURS];
  const { TargetGroupArn, ForwardConfig } = action;
  if (ForwardConfig !== undefined && !isMap(ForwardConfig)) return [OURS];
  const groups = listOf(mapOf(ForwardConfig).TargetGroups).map((group) => mapOf(group).TargetGroupArn ?? {});
  return [...listOf(TargetGroupArn), ...groups].flatMap((group) => {
    const types = ['AWS::ElasticLoadBalancingV2::TargetGroup'];
    const { TargetType, Targets } =
      referredTo(group, functions.resources, { types })?.resource.properties ?? {};
    if (['instance', 'ip', 'alb'].some((one) => one === TargetType)) return [NOTHING];
    const targets = listOf(Targets).map((target) => calleeOf(mapOf(target).Id, functions));
    return targets.length > 0 ? targets : [OURS];
  });
}
