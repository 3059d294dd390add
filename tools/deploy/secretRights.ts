/** The secrets that the functions may read. */
import { isSecretId } from '../../lib/secretId.ts';
import { loginFunctions } from './loginFunctions.ts';
import type { Service } from './service.ts';

/**
 * Leave to read the secrets that the settings of the functions list, and those that checks use; no other, and no
 * wildcards: what names no secret is granted nothing, and refused with the other settings.
 */
export function grantSecrets(service: Service): void {
  const ids = new Set(loginFunctions(service).flatMap(({ settings }) => usedSecretIds(settings)));
  if (ids.size === 0) return;
  const { provider } = service;
  provider.iam ??= {};
  provider.iam.role ??= {};
  provider.iam.role.statements ??= [];
  provider.iam.role.statements.push({
    Effect: 'Allow',
    Action: ['secretsmanager:GetSecretValue'],
    Resource: Array.from(ids, resourceOf),
  });
}

/** The names and ARNs of the secrets that a function with these settings asks for, each once. */
export function usedSecretIds({ CALLER_CHECK, ...settings }: NodeJS.ProcessEnv): string[] {
  const { SECRET_IDS = '', SIGNING_SECRET_ID = '' } = settings;
  const used = [SECRET_IDS, ...(CALLER_CHECK === 'signature' ? [SIGNING_SECRET_ID] : [])];
  const ids = used.flatMap((listed) => listed.split(',').map((id) => id.trim()));
  return [...new Set(ids.filter(isSecretId))];
}

/** Secrets Manager ends a secret's ARN with six characters of its own. */
function resourceOf(id: string): string | object {
  if (id.startsWith('arn:')) return id;
  return {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}-??????`,
  };
}
