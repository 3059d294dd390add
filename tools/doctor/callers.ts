/** Who may call a login function: by its policies, its URLs, and the routes of the APIs that may call it. */
import { paginateGetResources } from '@aws-sdk/client-api-gateway';
import { GetRoutesCommand } from '@aws-sdk/client-apigatewayv2';
import {
  GetPolicyCommand,
  paginateListAliases,
  paginateListFunctionUrlConfigs,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { error, type Finding } from '../shared/finding.ts';
import type { Aws } from './awsRequests.ts';

const OneOrMore = v.union([v.string(), v.array(v.string())]);
/** Loose: what else a statement has makes it no wider. */
const PolicySchema = v.object({
  Statement: v.array(
    v.object({
      Effect: v.optional(v.string(), 'Allow'),
      Principal: v.optional(v.union([v.string(), v.record(v.string(), OneOrMore)]), '*'),
      Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}),
    }),
  ),
});
type Statement = v.InferOutput<typeof PolicySchema>['Statement'][number];

const GATEWAY = 'apigateway.amazonaws.com';
const BALANCER = 'elasticloadbalancing.amazonaws.com';
/** An account, or a role or a user of one. */
const IDENTITY = /^(?:\d{12}|arn:[\w-]+:iam::\d{12}:[^*]+)$/;
/** Where the calls of an API come from, as `aws:SourceArn` of a permission. */
const API = /^arn:[\w-]+:execute-api:[\w-]+:\d{12}:(\w+)\/[^,]*$/;
const BY_URL = /lambda:(?:FunctionUrlAuthType|InvokedViaFunctionUrl)/i;
/** API Gateway's own bound of a page. */
const PAGE = 500;

const OPEN = 'asks its callers for nothing, and CALLER_CHECK is not signature';

/** @param isSigned whether the function checks its callers itself */
export async function callerFindings(aws: Aws, name: string, isSigned: boolean): Promise<Finding[]> {
  const statements = await statementsOf(aws, name);
  const apis = new Set(statements.flatMap((statement) => apiOf(statement) ?? []));
  const open = statements.filter((statement) => isOpen(statement, isSigned));
  const findings = open.map((statement) => {
    const message = `${callersOf(statement).join(', ')} may invoke it: expected accounts and roles by their names`;
    return error('permission_open', name, message, 'remove the statement: aws lambda remove-permission');
  });
  if (isSigned) return findings;
  const routes = await Promise.all(Array.from(apis, (api) => openRoutes(aws, api)));
  if (await hasOpenUrl(aws, name))
    findings.push(
      error('function_url_open', name, `its URL ${OPEN}`, 'aws lambda delete-function-url-config'),
    );
  const change = 'deploy this project, or remove the route';
  return [
    ...findings,
    ...routes.flat().map((route) => error('route_open', name, `${route} ${OPEN}`, change)),
  ];
}

async function statementsOf(aws: Aws, FunctionName: string): Promise<Statement[]> {
  const aliases = await aws.ask('lambda:ListAliases', FunctionName, () =>
    Array.fromAsync(paginateListAliases({ client: aws.functions }, { FunctionName })),
  );
  const names = (aliases ?? []).flatMap(({ Aliases = [] }) => Aliases.map(({ Name }) => Name));
  const found = await Promise.all(
    [undefined, ...names].map(async (Qualifier) => {
      const answer = await aws.ask('lambda:GetPolicy', FunctionName, () =>
        aws.functions.send(new GetPolicyCommand({ FunctionName, Qualifier })),
      );
      return answer?.Policy ? v.parse(PolicySchema, JSON.parse(answer.Policy)).Statement : [];
    }),
  );
  return found.flat().filter(({ Effect }) => Effect === 'Allow');
}

function callersOf({ Principal }: Statement): string[] {
  return typeof Principal === 'string' ? [Principal] : Object.values(Principal).flat();
}

function apiOf(statement: Statement): string | undefined {
  const { 'AWS:SourceArn': arn } = statement.Condition.ArnLike ?? {};
  return callersOf(statement).join() === GATEWAY ? API.exec(String(arn))?.[1] : undefined;
}

function isOpen(statement: Statement, isSigned: boolean): boolean {
  const callers = callersOf(statement);
  if (callers.every((caller) => IDENTITY.test(caller)) || apiOf(statement) !== undefined) return false;
  const isOverHttp = callers.join() === BALANCER || BY_URL.test(JSON.stringify(statement.Condition));
  return !(isSigned && isOverHttp);
}

async function hasOpenUrl(aws: Aws, FunctionName: string): Promise<boolean> {
  const pages = await aws.ask('lambda:ListFunctionUrlConfigs', FunctionName, () =>
    Array.fromAsync(paginateListFunctionUrlConfigs({ client: aws.functions }, { FunctionName })),
  );
  const urls = (pages ?? []).flatMap(({ FunctionUrlConfigs = [] }) => FunctionUrlConfigs);
  return urls.some(({ AuthType }) => AuthType === 'NONE');
}

/** Of an HTTP API, or else of a REST API. */
async function openRoutes(aws: Aws, ApiId: string): Promise<string[]> {
  const answer = await aws.ask('apigateway:GET', ApiId, () =>
    aws.httpApis.send(new GetRoutesCommand({ ApiId, MaxResults: String(PAGE) })),
  );
  if (answer === undefined) return openMethods(aws, ApiId);
  const open = (answer?.Items ?? []).filter(({ AuthorizationType = 'NONE' }) => AuthorizationType === 'NONE');
  return open.map(({ RouteKey }) => `the route ${RouteKey} of the API ${ApiId}`);
}

async function openMethods(aws: Aws, restApiId: string): Promise<string[]> {
  const pages = await aws.ask('apigateway:GET', restApiId, () =>
    Array.fromAsync(
      paginateGetResources({ client: aws.restApis, pageSize: PAGE }, { restApiId, embed: ['methods'] }),
    ),
  );
  return (pages ?? [])
    .flatMap(({ items = [] }) => items)
    .flatMap(({ path, resourceMethods = {} }) =>
      Object.entries(resourceMethods)
        // What answers browsers' questions calls no function.
        .filter(([, { methodIntegration }]) => methodIntegration?.type !== 'MOCK')
        .filter(([, { authorizationType = 'NONE' }]) => authorizationType === 'NONE')
        .map(([method]) => `the method ${method} ${path} of the API ${restApiId}`),
    );
}
