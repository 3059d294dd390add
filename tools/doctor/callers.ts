/** Who may call a login function: by its policies, its URLs, and the routes of the HTTP APIs that may call it. */
import { GetRoutesCommand } from '@aws-sdk/client-apigatewayv2';
import {
  GetPolicyCommand,
  paginateListAliases,
  paginateListFunctionUrlConfigs,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { Aws } from './aws.ts';
import { type DoctorFinding, finding } from './examination.ts';

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

const GATEWAY = 'apigateway.amazonaws.com';
/** An account, or a role or a user of one. */
const IDENTITY = /^(?:\d{12}|arn:[\w-]+:iam::\d{12}:[^*]+)$/;
/** Where the calls of an API come from. */
const API = /:execute-api:[\w-]+:\d{12}:(\w+)\//;
/** API Gateway's own bound of a page. */
const MAX_ROUTES = '500';

/** @param isSigned whether the function checks its callers itself */
export async function callers(aws: Aws, name: string, isSigned: boolean): Promise<DoctorFinding[]> {
  const client = { client: aws.functions };
  const aliases = await aws.ask('lambda:ListAliases', name, () =>
    Array.fromAsync(paginateListAliases(client, { FunctionName: name })),
  );
  const names = (aliases ?? []).flatMap(({ Aliases = [] }) => Aliases.map(({ Name }) => Name));
  const statements = await Promise.all([undefined, ...names].map((alias) => statementsOf(aws, name, alias)));
  const urls = await aws.ask('lambda:ListFunctionUrlConfigs', name, () =>
    Array.fromAsync(paginateListFunctionUrlConfigs(client, { FunctionName: name })),
  );
  const isUrlOpen = (urls ?? []).some(({ FunctionUrlConfigs = [] }) =>
    FunctionUrlConfigs.some(({ AuthType }) => AuthType === 'NONE'),
  );
  const apis = new Set(statements.flat().flatMap(({ api }) => api ?? []));
  const open = statements.flat().filter(({ callers: all, api, isOfUrl }) => {
    const isIdentified = all.every((one) => IDENTITY.test(one));
    return !isIdentified && api === undefined && !(isSigned && isOfUrl);
  });
  const routes = isSigned ? [] : await Promise.all(Array.from(apis, (api) => openRoutes(aws, name, api)));
  return [
    ...open.map(({ callers: all }) =>
      finding(
        'permission_open',
        name,
        `${all.join(', ')} may invoke it: expected accounts and roles by their names`,
        'remove the statement with aws lambda remove-permission',
      ),
    ),
    ...(isUrlOpen && !isSigned
      ? [
          finding(
            'function_url_open',
            name,
            'its URL asks its callers for nothing, and CALLER_CHECK is not signature',
            'remove it with aws lambda delete-function-url-config',
          ),
        ]
      : []),
    ...routes.flat(),
  ];
}

interface Statement {
  callers: string[];
  /** The API that it is for. */
  api: string | undefined;
  /** Whether it is one for URLs or load balancers, whose callers a function can check itself. */
  isOfUrl: boolean;
}

async function statementsOf(aws: Aws, FunctionName: string, Qualifier?: string): Promise<Statement[]> {
  const found = await aws.ask('lambda:GetPolicy', FunctionName, () =>
    aws.functions.send(new GetPolicyCommand({ FunctionName, Qualifier })),
  );
  if (!found?.Policy) return [];
  const { Statement } = v.parse(PolicySchema, JSON.parse(found.Policy));
  const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
  return allowed.map(({ Principal, Condition }) => {
    const callers = typeof Principal === 'string' ? [Principal] : Object.values(Principal).flat();
    const conditions = JSON.stringify(Condition);
    const api = callers.join() === GATEWAY ? API.exec(conditions)?.[1] : undefined;
    const isOfUrl = /lambda:(?:FunctionUrlAuthType|InvokedViaFunctionUrl)/i.test(conditions);
    return { callers, api, isOfUrl: isOfUrl || callers.join() === 'elasticloadbalancing.amazonaws.com' };
  });
}

/** A REST API has none: it cannot be asked so. */
async function openRoutes(aws: Aws, name: string, ApiId: string): Promise<DoctorFinding[]> {
  const answer = await aws.ask('apigateway:GET', ApiId, () =>
    aws.apis.send(new GetRoutesCommand({ ApiId, MaxResults: MAX_ROUTES })),
  );
  const open = (answer?.Items ?? []).filter(({ AuthorizationType = 'NONE' }) => AuthorizationType === 'NONE');
  return open.map(({ RouteKey }) =>
    finding(
      'route_open',
      name,
      `the route ${RouteKey} of the API ${ApiId} asks its callers for nothing, and CALLER_CHECK is not signature`,
      'deploy this project, or remove the route with aws apigatewayv2 delete-route',
    ),
  );
}
