/** The secrets that a stage names, by what Secrets Manager says of them: their values are never read. */
import { DescribeSecretCommand, type DescribeSecretResponse } from '@aws-sdk/client-secrets-manager';
import { isJsonObject } from '../../lib/schema.ts';
import { usedSecretIds } from '../deploy/secretRights.ts';
import type { Aws } from './aws.ts';
import {
  DAY_MS,
  type DoctorFinding,
  type Examined,
  type Facts,
  finding,
  note,
  type Patient,
} from './examination.ts';

/** A year is what most policies demand of keys. */
const MAX_AGE_DAYS = 365;

/** @returns the secrets' current versions as facts, by id */
export async function secrets(
  aws: Aws,
  { stage, nowMs, before }: Patient,
): Promise<Pick<Examined, 'findings' | 'facts'>> {
  const known = isJsonObject(before.secrets) ? before.secrets : {};
  const ids = usedSecretIds(stage.env);
  const all = await Promise.all(ids.map((id) => ofSecret(aws, id, nowMs, known)));
  return {
    findings: all.flatMap(({ findings }) => findings),
    facts: Object.assign({}, ...all.map(({ facts }) => facts)),
  };
}

async function ofSecret(aws: Aws, SecretId: string, nowMs: number, before: Facts) {
  const kept = SecretId in before ? { [SecretId]: before[SecretId] } : {};
  const found = await aws.ask('secretsmanager:DescribeSecret', SecretId, () =>
    aws.secrets.send(new DescribeSecretCommand({ SecretId })),
  );
  if (found === null) return { findings: [], facts: kept };
  if (found === undefined)
    return {
      findings: [
        finding(
          'secret_missing',
          SecretId,
          'no such secret in this region: each login that needs it ends with an error',
          'create it with aws secretsmanager create-secret, or correct the setting that names it and deploy',
        ),
      ],
      facts: {},
    };
  const current = versionAt(found, 'AWSCURRENT');
  return {
    findings: [
      ...ofState(SecretId, found, current),
      ...ofRotation(SecretId, found, nowMs),
      ...ofAge(SecretId, found, nowMs),
      ...ofChange(SecretId, found, current, before[SecretId]),
    ],
    facts: current === undefined ? {} : { [SecretId]: current },
  };
}

function versionAt({ VersionIdsToStages = {} }: DescribeSecretResponse, label: string): string | undefined {
  return Object.entries(VersionIdsToStages).find(([, labels]) => labels.includes(label))?.[0];
}

function ofState(id: string, { DeletedDate }: DescribeSecretResponse, current?: string): DoctorFinding[] {
  if (DeletedDate !== undefined)
    return [
      finding(
        'secret_deleted',
        id,
        'it is scheduled for deletion: no login can read it',
        'aws secretsmanager restore-secret, or name another secret in the settings and deploy',
      ),
    ];
  if (current !== undefined) return [];
  const cure = 'aws secretsmanager put-secret-value';
  return [finding('secret_empty', id, 'it has no current version', cure)];
}

function ofRotation(
  id: string,
  { RotationEnabled, NextRotationDate, LastRotatedDate }: DescribeSecretResponse,
  nowMs: number,
): DoctorFinding[] {
  if (!RotationEnabled || NextRotationDate === undefined || NextRotationDate.getTime() >= nowMs) return [];
  const last = LastRotatedDate === undefined ? 'never' : `last on ${dayOf(LastRotatedDate)}`;
  return [
    finding(
      'rotation_overdue',
      id,
      `its rotation was due on ${dayOf(NextRotationDate)}, and it was rotated ${last}`,
      'see the log of the function that rotates it, then aws secretsmanager rotate-secret',
    ),
  ];
}

function ofAge(
  id: string,
  { LastChangedDate, CreatedDate, DeletedDate }: DescribeSecretResponse,
  nowMs: number,
): DoctorFinding[] {
  const changed = LastChangedDate ?? CreatedDate;
  const days = changed === undefined ? 0 : Math.floor((nowMs - changed.getTime()) / DAY_MS);
  if (days <= MAX_AGE_DAYS || DeletedDate !== undefined) return [];
  return [note('secret_old', id, `it was changed last ${days} days ago`, 'rotate it: docs/security.md')];
}

function ofChange(
  id: string,
  secret: DescribeSecretResponse,
  current: string | undefined,
  known: unknown,
): DoctorFinding[] {
  if (known === undefined || current === undefined || known === current) return [];
  const hasPrevious = versionAt(secret, 'AWSPREVIOUS') !== undefined;
  const previous = hasPrevious ? 'the previous version is still there' : 'no previous version is there';
  const cure = 'nothing, if you rotated it; otherwise find out who did (CloudTrail, PutSecretValue)';
  return [note('secret_changed', id, `it has another version than at the last run; ${previous}`, cure)];
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
