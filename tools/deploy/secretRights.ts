/** The secrets that the functions may read. */
import { isSecretId } from '../../lib/settings.ts';
import { loginFunctions } from './loginFunctions.ts';
import type { Service } from './service.ts';

/** Secrets Manager ends a secret's ARN with a hyphen and six characters of its own. */
const SUFFIX = '-??????';
const ENDS_WITH_SUFFIX = /-[A-Za-z0-9]{6}$/;

/**
 * Leave to read the secrets that the settings of the functions list, and the one that the check of callers uses; no other: what
 * names no secret is granted nothing, and refused with the other settings.
 */
export function grantSecrets(service: Service): void {
  const { provider } = service;
  const all = loginFunctions(service).flatMap(({ settings }) => readableSecrets(settings));
  const Resource = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
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

/** What a statement of a policy has as its resources for a function with these settings. */
export function readableSecrets(settings: NodeJS.ProcessEnv): (string | object)[] {
  return usedSecretIds(settings).map((id) => {
    if (id.startsWith('arn:')) return ENDS_WITH_SUFFIX.test(id) ? id : id + SUFFIX;
    return {
      'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}${SUFFIX}`,
    };
  });
}

/** The names and ARNs of the secrets that a function with these settings asks for, each once. */
export function usedSecretIds({ CALLER_CHECK, ...settings }: NodeJS.ProcessEnv): string[] {
  const { SECRET_IDS = '', SIGNING_SECRET_ID = '' } = settings;
  const used = [SECRET_IDS, ...(CALLER_CHECK === 'signature' ? [SIGNING_SECRET_ID] : [])];
  const ids = used.flatMap((listed) => listed.split(',').map((id) => id.trim()));
  return [...new Set(ids.filter(isSecretId))];
}
