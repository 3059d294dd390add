/** The policies of docs/deploy.md, and those who have one of them. */
import { type Policy, userWith, withIam } from '../support/iam.ts';
import { blocksOf } from '../support/pages.ts';

const [deployer, doctor, logReader] = (await blocksOf('docs/deploy.md'))
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text)) as [Policy, Policy, Policy];

const inDev = (policy: Policy): Policy =>
  JSON.parse(JSON.stringify(policy).replaceAll('login-hooks-prod', 'login-hooks-dev'));

export const DEPLOYER = deployer;
export const DOCTOR = inDev(doctor);
export const LOG_READER = inDev(logReader);

/** Switches IAM on. @returns the environment of a new user with this policy and no other */
export async function environmentWith(policy: Policy) {
  const { accessKeyId, secretAccessKey } = await userWith(policy);
  await withIam();
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** What a statement allows. */
export function actionsOf({ Statement }: Policy, sid: string): string[] {
  return Statement.filter(({ Sid }) => Sid === sid).flatMap(({ Action }) => Action);
}
