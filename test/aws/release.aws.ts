/** Releasing safely, as the README says it: a share of logins through a new version, and back to an earlier one. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateAliasCommand,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListVersionsByFunctionCommand,
  PublishVersionCommand,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { clientConfig } from '../support/aws.ts';
import { DEPLOY_TIMEOUT_MS, deploy, serverless } from '../support/deployment.ts';
import { emptyAws } from '../support/iam.ts';

const FunctionName = 'login-hooks-dev-samlLoggedIn';
const NEW_HANDLER = join(PROJECT, 'handlers', `release-test-${process.pid}.ts`);
const lambda = new LambdaClient(clientConfig());

beforeAll(() => {
  deploy({});
  writeFileSync(NEW_HANDLER, "export { handleSamlUserLoggedIn as default } from 'login-hooks';\n");
  try {
    deploy({ RESPONSE_NAMES: 'camelCase' });
  } finally {
    rmSync(NEW_HANDLER);
  }
}, 2 * DEPLOY_TIMEOUT_MS);
afterAll(emptyAws);

async function inForce() {
  const command = new GetFunctionConfigurationCommand({ FunctionName });
  const { Environment, CodeSha256 } = await lambda.send(command);
  return { settings: Environment?.Variables ?? {}, code: CodeSha256 };
}

test('an alias gives a new version its share of logins', async () => {
  // At an update of a stack, AWS publishes a version by itself, and moto does not.
  await lambda.send(new PublishVersionCommand({ FunctionName }));
  const { Versions = [] } = await lambda.send(new ListVersionsByFunctionCommand({ FunctionName }));
  const versions = Versions.map(({ Version = '' }) => Version);
  expect(versions).toEqual(['$LATEST', '1', '2']);
  const alias = { FunctionName, Name: 'live', FunctionVersion: '1' };
  await lambda.send(new CreateAliasCommand(alias));
  const RoutingConfig = { AdditionalVersionWeights: { 2: 0.1 } };
  await lambda.send(new UpdateAliasCommand({ ...alias, RoutingConfig }));
  const live = new GetAliasCommand({ FunctionName, Name: 'live' });
  expect(await lambda.send(live)).toMatchObject({ FunctionVersion: '1', RoutingConfig });
  const whole = { FunctionVersion: '2', RoutingConfig: { AdditionalVersionWeights: {} } };
  await lambda.send(new UpdateAliasCommand({ ...alias, ...whole }));
  expect(await lambda.send(live)).toMatchObject({ FunctionVersion: '2' });
});

test(
  'an earlier deployment comes back, its code and its settings',
  async () => {
    const before = await inForce();
    expect(before.settings).toMatchObject({ RESPONSE_NAMES: 'camelCase' });
    const [first = ''] = serverless(['deploy', 'list']).match(/(?<=Timestamp: )\d+/g) ?? [];
    serverless(['rollback', '--timestamp', first]);
    const after = await inForce();
    expect(after.settings).not.toHaveProperty('RESPONSE_NAMES');
    expect(after.code).not.toBe(before.code);
  },
  DEPLOY_TIMEOUT_MS,
);
