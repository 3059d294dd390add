/** IAM as moto plays it: users with a policy each, where it is switched on. */
import { ask, endpoint } from './aws.ts';

export interface Policy {
  Version: string;
  Statement: { Sid: string; Action: string | string[]; Resource: string | string[] }[];
}

const moto = (path: string, body: string) =>
  fetch(`${endpoint()}/moto-api/${path}`, { method: 'POST', body });
export const withoutIam = () => moto('reset-auth', 'inf');
export const withIam = () => moto('reset-auth', '0');
/** Without IAM, and without all that there was. */
export const emptyAws = async () => {
  await withoutIam();
  await moto('reset', '');
};

const iam = async (action: string, parameters: Record<string, string>) => {
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...parameters });
  return (await ask('iam', '/', { method: 'POST', body })).text();
};

/** The access key of a new user with this policy and no other. */
export async function userWith(policy: Policy) {
  const UserName = `user-${crypto.randomUUID()}`;
  await iam('CreateUser', { UserName });
  const PolicyDocument = JSON.stringify(policy);
  await iam('PutUserPolicy', { UserName, PolicyName: 'permissions', PolicyDocument });
  const key = await iam('CreateAccessKey', { UserName });
  const text = (name: string) => new RegExp(`<${name}>(.*?)</`).exec(key)?.[1] ?? '';
  return { accessKeyId: text('AccessKeyId'), secretAccessKey: text('SecretAccessKey') };
}

export const without = (policy: Policy, sid: string): Policy => ({
  ...policy,
  Statement: policy.Statement.filter(({ Sid }) => Sid !== sid),
});
export const sids = (policy: Policy) => policy.Statement.map(({ Sid }) => Sid);
