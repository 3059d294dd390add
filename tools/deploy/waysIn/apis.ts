/** APIs as a whole: their bodies, their authorizers, and what they have deployed. */
import { calleeOf, type Functions, OURS, type Way } from './functionNames.ts';
import { admitsIdentitiesAlone } from './permissions.ts';
import { isMap, listOf, mapOf, type Resources, referredTo, type Values } from './template.ts';

/** As `serverless` names deployments of REST APIs: with a time, so that none is one of before. */
const DEPLOYED_BY_SERVERLESS = /ApiGatewayDeployment\d{13}$/;

/** An API itself: the route that `Target` makes, and bodies, of which one is read that asks for IAM everywhere. */
export function waysOfApi(api: Values, functions: Functions): Way[] {
  const { Target, Body, BodyS3Location, CloneFrom, Policy } = api;
  const quick: Way[] =
    Target === undefined ? [] : [{ form: 'open route', callee: calleeOf(Target, functions) }];
  const isRead =
    BodyS3Location === undefined &&
    CloneFrom === undefined &&
    (Body === undefined || (asksForIam(Body) && admitsIdentitiesAlone(Policy, functions.resources)));
  return isRead ? quick : [...quick, { form: 'body', callee: OURS }];
}

const EXTENSION = 'x-amazon-apigateway-';

/** Whether each operation of an OpenAPI document has one security requirement, which is IAM. */
function asksForIam(body: unknown): boolean {
  const document = mapOf(body);
  const { openapi, swagger, paths, components, securityDefinitions } = document;
  // OpenAPI 3 reads the one, and 2 the other.
  const schemes = Object.entries(
    mapOf(swagger === undefined ? mapOf(components).securitySchemes : securityDefinitions),
  );
  const isIam = (scheme: unknown) => {
    const asked = mapOf(scheme);
    return asked[`${EXTENSION}authtype`] === 'awsSigv4' && asked[`${EXTENSION}authorizer`] === undefined;
  };
  const names = schemes.filter(([, scheme]) => isIam(scheme)).map(([name]) => name);
  const asks = (one: unknown) => {
    const operation = mapOf(one);
    const [requirement, ...more] = listOf(operation.security);
    return (
      operation[`${EXTENSION}auth`] === undefined &&
      more.length === 0 &&
      names.includes(Object.keys(mapOf(requirement)).join())
    );
  };
  const operations = Object.values(mapOf(paths)).flatMap((path) =>
    isMap(path) ? Object.values(path) : [path],
  );
  return (
    (openapi === undefined) !== (swagger === undefined) &&
    document[`${EXTENSION}policy`] === undefined &&
    names.length === schemes.length &&
    operations.length > 0 &&
    operations.every(asks)
  );
}

/** An authorizer calls a function, and its answer decides who passes. */
export function waysOfAuthorizer({ AuthorizerUri }: Values, functions: Functions): Way[] {
  return AuthorizerUri === undefined ? [] : [{ form: 'call', callee: calleeOf(AuthorizerUri, functions) }];
}

/** Stages and deployments that may serve what the template says no longer. */
export function isStale(type: string, id: string, properties: Values, resources: Resources): boolean {
  const { ApiId, AutoDeploy, CanarySetting, DeploymentCanarySettings, DeploymentId, StageDescription } =
    properties;
  const api = referredTo(ApiId, resources, { types: ['AWS::ApiGatewayV2::Api'] })?.resource.properties;
  const isWebSocket = api?.ProtocolType === 'WEBSOCKET';
  if (type === 'AWS::ApiGatewayV2::Deployment') return !isWebSocket;
  if (type === 'AWS::ApiGatewayV2::Stage') {
    return !isWebSocket && !(AutoDeploy === true && DeploymentId === undefined);
  }
  if ([CanarySetting, DeploymentCanarySettings, StageDescription].some((one) => one !== undefined))
    return true;
  const isFresh = (one = '') => DEPLOYED_BY_SERVERLESS.test(one);
  if (type === 'AWS::ApiGateway::Deployment') return !isFresh(id);
  return !isFresh(referredTo(DeploymentId, resources, { types: ['AWS::ApiGateway::Deployment'] })?.id);
}
