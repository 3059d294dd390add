/** Routes of the stage's own APIs that the deployed template does not have, or that ask for less or more than it says. */
import { GetResourcesCommand } from '@aws-sdk/client-api-gateway';
import { GetRoutesCommand } from '@aws-sdk/client-apigatewayv2';
import type { Values } from '../deploy/waysIn/template.ts';
import type { Aws } from './aws.ts';
import { differences, type Way } from './differences.ts';
import { type DoctorFinding, finding } from './examination.ts';
import { patternOf, type Stack, withoutMarks } from './stack.ts';

const CODES = { added: 'route_added', edited: 'route_edited', missing: 'route_missing' };
const ROUTE = { ...CODES, what: 'the route', remove: 'remove it with aws apigatewayv2 delete-route' };
const METHOD = { ...CODES, what: 'the method', remove: 'remove it with aws apigateway delete-method' };
/** API Gateway's own bounds of a page. */
const [MAX_ROUTES, MAX_RESOURCES] = ['500', 500];

export async function routes(aws: Aws, stack: Stack): Promise<DoctorFinding[]> {
  const found = await Promise.all([
    ...stack.ofType('AWS::ApiGatewayV2::Api').map(({ id }) => ofHttpApi(aws, stack, stack.nameOf(id))),
    ...stack.ofType('AWS::ApiGateway::RestApi').map(({ id }) => ofRestApi(aws, stack, stack.nameOf(id))),
  ]);
  return found.flat();
}

async function ofHttpApi(aws: Aws, stack: Stack, ApiId: string): Promise<DoctorFinding[]> {
  const answer = await aws.ask('apigateway:GET', ApiId, () =>
    aws.apis.send(new GetRoutesCommand({ ApiId, MaxResults: MAX_ROUTES })),
  );
  if (!answer) return answer === null ? [] : [gone(ApiId)];
  const found = (answer.Items ?? []).map(
    ({ RouteKey: key = '', AuthorizationType, AuthorizerId, AuthorizationScopes }) => ({
      key,
      guard: guardOf(AuthorizationType, AuthorizerId, AuthorizationScopes),
    }),
  );
  const expected = expectedOf(stack, 'AWS::ApiGatewayV2::Route', 'ApiId', ApiId).map((properties) => ({
    key: stack.made(properties.RouteKey),
    guard: expectedGuard(stack, properties),
    text: stack.text(properties.RouteKey),
  }));
  return differences(ApiId, ROUTE, found, expected);
}

async function ofRestApi(aws: Aws, stack: Stack, restApiId: string): Promise<DoctorFinding[]> {
  const answer = await aws.ask('apigateway:GET', restApiId, () =>
    aws.restApis.send(new GetResourcesCommand({ restApiId, embed: ['methods'], limit: MAX_RESOURCES })),
  );
  if (!answer) return answer === null ? [] : [gone(restApiId)];
  const found = (answer.items ?? []).flatMap(({ id, resourceMethods = {} }): Way[] =>
    Object.entries(resourceMethods).map(
      ([method, { authorizationType, authorizerId, authorizationScopes }]) => ({
        key: `${id} ${method}`,
        guard: guardOf(authorizationType, authorizerId, authorizationScopes),
      }),
    ),
  );
  const expected = expectedOf(stack, 'AWS::ApiGateway::Method', 'RestApiId', restApiId).map((properties) => {
    const text = `${stack.text(properties.ResourceId)} ${stack.text(properties.HttpMethod)}`;
    return { key: patternOf(text), guard: expectedGuard(stack, properties), text: withoutMarks(text) };
  });
  return differences(restApiId, METHOD, found, expected);
}

function gone(id: string): DoctorFinding {
  const cure = 'remove the stack and deploy it again: its routes get another address';
  return finding('api_missing', id, 'the API was deployed and is gone', cure);
}

function expectedOf(stack: Stack, type: string, api: string, id: string): Values[] {
  const all = stack.ofType(type).map(({ properties }) => properties);
  return all.filter((properties) => stack.made(properties[api]).test(id));
}

/** E.g. `AWS_IAM`, or `JWT a1b2c3 logins.write`. */
function guardOf(type = 'NONE', authorizer = '', scopes: readonly string[] = []): string {
  return [type, authorizer, ...scopes.toSorted()].filter(Boolean).join(' ');
}

function expectedGuard(
  stack: Stack,
  { AuthorizationType, AuthorizerId, AuthorizationScopes = [] }: Values,
): RegExp {
  const scopes = [AuthorizationScopes].flat().map((scope) => stack.text(scope));
  return patternOf(guardOf(stack.text(AuthorizationType ?? 'NONE'), stack.text(AuthorizerId), scopes));
}
