/** Which forms of the table a resource has that reaches a login function. */
const { areScopes, formsOfBody } = require('./openApi.cjs');
const { formOfPermission, formOfRole } = require('./permissions.cjs');
const { admitsIdentitiesAlone } = require('./principals.cjs');
const { policiesFor } = require('./rights.cjs');
const { PLACEHOLDER, intrinsicOf, isHidden, isLiteral, isMap, textOf } = require('./text.cjs');
const { WAYS_IN } = require('./table.cjs');

/** `$default`, or a method and a path: the routes of WebSocket APIs are named otherwise. */
const HTTP_ROUTE = /^(\$default|[A-Z]+ \/.*)$/;

/**
 * By type of resource:
 *
 * `place`: the value that stands in the place of a function, or of what leads to one. Where the template does not say
 *   what it is, it may be a login function.
 * `mentions`: further values that may name a function.
 * `forms`: takes the properties and `{ template, id, isReached, mentions, reaches }`: `isReached` says whether the resource
 *   refers to a login function, `mentions` whether a value names one, `reaches` the same of a value in the place of one.
 */
const FORMS_OF = {
  'AWS::Lambda::Url': {
    place: ({ TargetFunctionArn, Qualifier }) =>
      Qualifier === undefined ? TargetFunctionArn : { 'Fn::Join': [':', [TargetFunctionArn, Qualifier]] },
    forms: ({ AuthType }) => [AuthType === 'AWS_IAM' ? 'AWS_IAM' : 'NONE'],
  },
  'AWS::ApiGatewayV2::Route': {
    place: routeTarget,
    forms: (route, context) => [formOfRoute(route, context)],
  },
  'AWS::ApiGatewayV2::Api': {
    place: ({ Target }) => Target,
    mentions: ({ Body }) => Body,
    forms: formsOfHttpApi,
  },
  'AWS::ApiGateway::Method': {
    place: ({ Integration: { Type, Uri } = {} }) => (/^(HTTP|HTTP_PROXY|MOCK)$/.test(Type) ? undefined : Uri),
    mentions: ({ Integration }) => Integration,
    forms: (method, context) => [formOfMethod(method, context)],
  },
  'AWS::ApiGateway::RestApi': {
    mentions: ({ Body }) => Body,
    forms: (api, context) => formsOfDocument(api, 'restApi', context),
  },
  'AWS::ElasticLoadBalancingV2::ListenerRule': {
    place: ({ Actions }) => targetsOf(Actions),
    mentions: ({ Actions }) => Actions,
    forms: ({ Actions }, context) => formsOfActions(Actions, context),
  },
  'AWS::ElasticLoadBalancingV2::Listener': {
    place: ({ DefaultActions }) => targetsOf(DefaultActions),
    mentions: ({ DefaultActions }) => DefaultActions,
    forms: ({ DefaultActions }, context) => formsOfActions(DefaultActions, context),
  },
  'AWS::Lambda::Permission': {
    place: ({ FunctionName }) => FunctionName,
    forms: (permission, context) => [formOfPermission(permission, context)],
  },
  'AWS::IAM::Role': {
    mentions: (role, { template, id }) => [role, policiesFor(id, role, template)],
    forms: (role, context) => [formOfRole(role, context) ?? []].flat(),
  },
};

/** An integration that this template does not have may lead to a login function. */
function routeTarget({ Target }, { template }) {
  if (Target === undefined) return undefined;
  const isHere = resourceOf(Target, template)?.Type === 'AWS::ApiGatewayV2::Integration';
  return isHere ? Target : { 'Fn::ImportValue': Target };
}

/** The resource of this template that a value refers to first. */
function resourceOf(value, template) {
  const [, id] = /\$\{(\w+)/.exec(textOf(value, template)) ?? [];
  return Object.hasOwn(template.Resources, id ?? '') ? template.Resources[id] : undefined;
}

function formOfRoute(
  { ApiId, RouteKey, AuthorizationType, AuthorizerId, AuthorizationScopes },
  { template },
) {
  const api = resourceOf(ApiId, template);
  const isHere = api?.Type === 'AWS::ApiGatewayV2::Api';
  if (!(isHere ? isHttp(api.Properties) : HTTP_ROUTE.test(RouteKey))) return 'WebSocket';
  if (AuthorizationType === 'AWS_IAM') return 'AWS_IAM';
  const isAskedBy = (type) => isAuthorizer(AuthorizerId, [type], template);
  if (AuthorizationType === 'CUSTOM' && isAskedBy('REQUEST')) return 'Lambda authorizer';
  if (AuthorizationType !== 'JWT' || !isAskedBy('JWT')) return 'open';
  return areScopes(AuthorizationScopes) ? 'JWT with scopes' : 'JWT without scopes';
}

/** An API that is made from a body says no protocol, and is an HTTP API. */
function isHttp({ ProtocolType = 'HTTP' }) {
  return ProtocolType === 'HTTP';
}

/** An authorizer of this template, of one of these types, or one that stands elsewhere and is named by its id. */
function isAuthorizer(id, types, template) {
  if (isLiteral(id)) return id !== '';
  if (!['Ref', 'Fn::GetAtt'].includes(intrinsicOf(id))) return false;
  const { Type = '', Properties = {} } = resourceOf(id, template) ?? {};
  if (!/^AWS::ApiGateway(V2)?::Authorizer$/.test(Type)) return false;
  return types.includes(Properties.AuthorizerType ?? Properties.Type);
}

function formsOfHttpApi(api, context) {
  const made = isHttp(api) ? 'quick create' : 'WebSocket';
  return [...(context.reaches(api.Target) ? [made] : []), ...formsOfDocument(api, 'httpApi', context)];
}

function formsOfDocument({ Body, BodyS3Location, Policy }, kind, { mentions, template }) {
  if (BodyS3Location !== undefined) return ['unreadable body'];
  if (Body === undefined) return [];
  const byIam = formByIam([{ Body, Policy }], template);
  return formsOfBody(Body, { forms: WAYS_IN[kind].forms, byIam, isOurs: mentions, template });
}

/**
 * The form of a method that asks for IAM. A caller from another account needs an allow of the API's policy and one of his
 * own account, which he writes himself.
 */
function formByIam(apis, template) {
  const isNone = (policy) => policy === undefined || policy === '';
  const policies = apis.flatMap(({ Policy, Body }) => [Policy, Body?.['x-amazon-apigateway-policy']]);
  const areKnown = policies.every((policy) => isNone(policy) || admitsIdentitiesAlone(policy, template));
  return areKnown ? 'AWS_IAM' : 'any account';
}

/** The REST APIs of this template that an id stands for, or may. */
function restApisOf(id, template) {
  const text = textOf(id, template);
  const named = [...text.matchAll(PLACEHOLDER)].map(([, path]) => path.split('.')[0]);
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGateway::RestApi')
    .filter(([own]) => named.includes(own) || isHidden(text))
    .map(([, { Properties }]) => Properties);
}

function formOfMethod(
  { AuthorizationType, AuthorizerId, ApiKeyRequired, Integration, RestApiId },
  { template },
) {
  const byIam = formByIam(restApisOf(RestApiId, template), template);
  if (AuthorizationType === 'AWS_IAM' && byIam === 'AWS_IAM') return 'AWS_IAM';
  const isGuardedBy = (...types) => isAuthorizer(AuthorizerId, types, template);
  if (AuthorizationType === 'COGNITO_USER_POOLS' && isGuardedBy('COGNITO_USER_POOLS')) return 'Cognito';
  if (AuthorizationType === 'CUSTOM' && isGuardedBy('TOKEN', 'REQUEST')) return 'Lambda authorizer';
  if (Integration?.Type !== 'AWS_PROXY') return 'open, not a proxy';
  if (AuthorizationType === 'AWS_IAM') return byIam;
  return ApiKeyRequired === true ? 'API key alone' : 'open';
}

const AUTHENTICATES = {
  'authenticate-oidc': ({ AuthenticateOidcConfig }) => AuthenticateOidcConfig,
  'authenticate-cognito': ({ AuthenticateCognitoConfig }) => AuthenticateCognitoConfig,
};

/** Where requests go to; all of it where the actions cannot be read. */
function targetsOf(actions) {
  if (!Array.isArray(actions)) return actions;
  return actions.filter(isMap).map(({ TargetGroupArn, ForwardConfig }) => [TargetGroupArn, ForwardConfig]);
}

function formsOfActions(actions, { reaches }) {
  if (!Array.isArray(actions) || !actions.every(isMap)) return ['open'];
  const forwards = actions.filter((action) => reaches(targetsOf([action])));
  return forwards.map(({ Order }) => {
    const before = actions.find((action) => authenticates(action) && isBefore(action.Order, Order));
    return before?.Type ?? 'open';
  });
}

function isBefore(first, second) {
  return Number.isInteger(first) && Number.isInteger(second) && first < second;
}

function authenticates(action) {
  if (!isLiteral(action.Type) || !Object.hasOwn(AUTHENTICATES, action.Type)) return false;
  const config = AUTHENTICATES[action.Type](action);
  return isMap(config) && [undefined, 'deny', 'authenticate'].includes(config.OnUnauthenticatedRequest);
}

module.exports = { FORMS_OF };
