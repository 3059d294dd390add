/** The policies of docs/deploy.md, and IAM as moto plays it: users with a policy each, where it is switched on. */
import { blocksOf } from '../../support/pages.ts';
import { ask, endpoint } from './aws.ts';

export interface Policy {
  Version: string;
  Statement: { Sid: string; Action: string | string[]; Resource: string | string[] }[];
}

const [deployer, doctor, logReader] = (await blocksOf('docs/deploy.md'))
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text)) as [Policy, Policy, Policy];

const inDev = (policy: Policy): Policy =>
  JSON.parse(JSON.stringify(policy).replaceAll('login-hooks-prod', 'login-hooks-dev'));

export const DEPLOYER = deployer;
export const DOCTOR = inDev(doctor);
export const LOG_READER = inDev(logReader);

/** For each statement of a policy, its name, the policy without it, and the actions that are then not allowed. */
export function lacking(policy: Policy) {
  return policy.Statement.map(({ Sid, Action }): [string, Policy, string[]] => [
    Sid,
    { ...policy, Statement: policy.Statement.filter((other) => other.Sid !== Sid) },
    [Action].flat(),
  ]);
}

const moto = (path: string, body: string) =>
  fetch(`${endpoint()}/moto-api/${path}`, { method: 'POST', body });
export const withoutIam = () => moto('reset-auth', 'inf');
/** Without IAM, and without all that there was. */
export const emptyAws = async () => {
  await withoutIam();
  await moto('reset', '');
};

const iam = async (action: string, parameters: Record<string, string>) => {
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...parameters });
  return (await ask('iam', '/', { method: 'POST', body })).text();
};

/** Switches IAM on. @returns the environment of a new user with this policy and no other */
export async function environmentWith(policy: Policy) {
  const UserName = `user-${crypto.randomUUID()}`;
  await iam('CreateUser', { UserName });
  const PolicyDocument = JSON.stringify(policy);
  await iam('PutUserPolicy', { UserName, PolicyName: 'permissions', PolicyDocument });
  const key = await iam('CreateAccessKey', { UserName });
  await moto('reset-auth', '0');
  const text = (name: string) => new RegExp(`<${name}>(.*?)</`).exec(key)?.[1] ?? '';
  return { AWS_ACCESS_KEY_ID: text('AccessKeyId'), AWS_SECRET_ACCESS_KEY: text('SecretAccessKey') };
}
