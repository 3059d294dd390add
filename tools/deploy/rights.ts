/** Who may call the functions over HTTP, and what their role may do: read the secrets in use, and write their logs. */
import { isSecretId } from '../../lib/settings.ts';
import { listOf, mapOf } from './exposure/values.ts';
import { loginFunctions, type Serverless, type Service } from './service.ts';

const OVER_HTTP = ['alb', 'http', 'httpApi'];

/**
 * Who calls over HTTP is checked once, by the routes or by the functions: IAM is taken off the routes of the functions that check
 * the caller's signature themselves, and off no other's.
 *
 * @returns what is wrong with the settings: nobody can send a signed request to a function without a route or a URL
 */
export function authorizeRoutes(service: Service): string[] {
  const signed = loginFunctions(service).filter(({ settings }) => settings.CALLER_CHECK === 'signature');
  for (const event of signed.flatMap(({ fn }) => fn.events ?? [])) {
    const route = mapOf(mapOf(event).httpApi);
    if (mapOf(route.authorizer).type === 'aws_iam') delete route.authorizer;
  }
  const isUnreached = signed.some(
    ({ fn: { url, events = [] } }) =>
      !url && !events.some((event) => OVER_HTTP.some((name) => name in mapOf(event))),
  );
  const expected =
    'expected iam, or http: true below custom.loginHooks, because there is no route to sign for';
  return isUnreached ? [`CALLER_CHECK: ${expected}`] : [];
}

/** Secrets Manager ends a secret's ARN with a hyphen and six characters of its own. */
const SUFFIX = '-??????';
const ENDS_WITH_SUFFIX = /-[A-Za-z0-9]{6}$/;

/**
 * Leave to read the secrets that the settings of the functions list, and the one that the check of callers uses; no other: what
 * names no secret is granted nothing, and refused with the other settings.
 */
export function grantSecrets(service: Service): void {
  const { provider } = service;
  const ids = new Set(loginFunctions(service).flatMap(({ settings }) => usedSecretIds(settings)));
  const Resource = Array.from(ids, secretResource);
  // A role that stands elsewhere has its own statements.
  if (Resource.length === 0 || typeof (provider.iam?.role ?? {}) !== 'object') return;
  provider.iam ??= {};
  provider.iam.role ??= {};
  provider.iam.role.statements ??= [];
  provider.iam.role.statements.push({
    Effect: 'Allow',
    Action: ['secretsmanager:GetSecretValue'],
    Resource,
  });
}

/** What a statement of a policy has as the resource for a secret's name or ARN. */
export function secretResource(id: string): string | object {
  if (id.startsWith('arn:')) return ENDS_WITH_SUFFIX.test(id) ? id : id + SUFFIX;
  return {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}${SUFFIX}`,
  };
}

/** The names and ARNs of the secrets that a function with these settings asks for, each once. */
export function usedSecretIds(settings: NodeJS.ProcessEnv): string[] {
  const { CALLER_CHECK, SECRET_IDS = '', SIGNING_SECRET_ID = '' } = settings;
  const used = [SECRET_IDS, ...(CALLER_CHECK === 'signature' ? [SIGNING_SECRET_ID] : [])];
  const ids = used.flatMap((listed) => listed.split(',').map((id) => id.trim()));
  return [...new Set(ids.filter(isSecretId))];
}

/**
 * The role may write the logs of its functions only: `serverless` grants those of each stage whose name begins as this one's
 * does. What happened to people's logins in `prod` is still known after somebody removed the stack.
 */
export function guardLogs(service: Serverless['service'], stage: string): void {
  const { Resources } = service.provider.compiledCloudFormationTemplate;
  // Those of an operator's own functions too; the APIs have none yet.
  for (const resource of Object.values(Resources))
    if (resource.Type === 'AWS::Logs::LogGroup' && stage === 'prod') resource.DeletionPolicy = 'Retain';
  const [policy] = listOf(Resources.IamRoleLambdaExecution?.Properties?.Policies).map(mapOf);
  const Resource = Object.values(service.functions).map(({ name }) => ({
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${name}:*`,
  }));
  // The operator's own follow on these two.
  const [making, writing] = listOf(mapOf(policy?.PolicyDocument).Statement).map(mapOf);
  if (making && writing) making.Resource = writing.Resource = Resource;
}
