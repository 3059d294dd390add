/** Whom a permission, or a resource policy, of a function lets in. */
import { allowing, isIdentity } from './principals.ts';
import type { FormName } from './table.ts';
import { isMap, listOf, mapOf, type Resources, textOf, type Values } from './template.ts';

const API_GATEWAY = 'apigateway.amazonaws.com';
const LOAD_BALANCER = 'elasticloadbalancing.amazonaws.com';
const CLOUDFRONT = 'cloudfront.amazonaws.com';
const SERVICE = /\.(amazonaws\.com(\.cn)?|amazon\.com)$/;
const SOURCE_IS_API =
  /^arn:(?:aws[a-z-]*|\$\{AWS::Partition\}):execute-api:(?:[a-z0-9-]+|\$\{AWS::Region\}):(?:\d{12}|\$\{AWS::AccountId\}):\$\{(\w+)\}\/[^$]*$/;
const APIS = ['AWS::ApiGateway::RestApi', 'AWS::ApiGatewayV2::Api'];

/** @param permission the properties of AWS::Lambda::Permission */
export function formOfPermission(permission: Values, resources: Resources): FormName {
  const { Principal, Action, SourceArn } = permission;
  const isByUrl = callsUrlAlone(permission);
  if (!isByUrl && Action !== 'lambda:InvokeFunction') return 'more than invoking';
  if (isIdentity(Principal, resources)) return 'identified';
  if (Principal === '*') return isByUrl ? 'for a function URL' : 'for anybody';
  if (Principal === API_GATEWAY && isApiHere(SourceArn, resources)) return 'identified';
  if (Principal === LOAD_BALANCER) return 'for a load balancer';
  if (Principal === CLOUDFRONT && isByUrl) return 'for CloudFront';
  return typeof Principal === 'string' && SERVICE.test(Principal) ? 'for a service' : 'for the unknown';
}

/** Since October 2025, who calls a function URL needs both. */
function callsUrlAlone({ Action, InvokedViaFunctionUrl }: Values): boolean {
  return (
    Action === 'lambda:InvokeFunctionUrl' ||
    (Action === 'lambda:InvokeFunction' && InvokedViaFunctionUrl === true)
  );
}

/** The routes and methods of an API of this template are judged. */
function isApiHere(source: unknown, resources: Resources): boolean {
  const [, id = ''] = SOURCE_IS_API.exec(textOf(source, resources) ?? '') ?? [];
  return APIS.includes(resources.get(id)?.type ?? '');
}

/** @returns the form of each principal with each action, as if each had a permission */
export function formsOfResourcePolicy(policy: unknown, resources: Resources): FormName[] {
  return allowing(policy).flatMap((statement) => {
    const { Principal, Action, Condition } = statement ?? {};
    const named = isMap(Principal) ? Object.values(Principal).flatMap(listOf) : [Principal];
    return named.flatMap((one) =>
      [Action ?? {}]
        .flat()
        .map((action) =>
          formOfPermission({ Principal: one, Action: action, ...conditioned(Condition) }, resources),
        ),
    );
  });
}

/** What a condition says of what AWS::Lambda::Permission has properties for. */
function conditioned(condition: unknown): Values {
  const { ArnLike, ArnEquals, Bool } = mapOf(condition);
  const viaUrl = mapOf(Bool)['lambda:InvokedViaFunctionUrl'];
  return {
    SourceArn: mapOf(ArnLike ?? ArnEquals)['aws:SourceArn'],
    InvokedViaFunctionUrl: viaUrl === true || viaUrl === 'true',
  };
}

/** Whether the resource policy of an API lets in accounts and roles alone; none does. */
export function admitsIdentitiesAlone(policy: unknown, resources: Resources): boolean {
  if (policy === undefined || policy === '') return true;
  return allowing(policy).every((statement) => {
    const { AWS, ...more } = mapOf(statement?.Principal);
    const named = listOf(AWS);
    return (
      named.length > 0 && Object.keys(more).length === 0 && named.every((one) => isIdentity(one, resources))
    );
  });
}
