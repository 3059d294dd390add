/** What a deployment asks of capacity providers: which side a function is on, and whether it fits onto its provider. */
import { GetCapacityProviderCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, test } from '@jest/globals';
import { problemsOfProviders, problemsOfSides } from '../../tools/deploy/capacityProvider.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { FN, loginFunction } from '../support/waysIn.ts';

interface Template {
  Resources?: object;
}

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:capacity-provider:logins';
const ON_PROVIDER = {
  CapacityProviderConfig: { LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn: ARN } },
};
const template = (properties: object = {}): Template => ({ Resources: loginFunction({}, properties) });
const ordinary = template();
const managed = template(ON_PROVIDER);
const renamed = (FunctionName: unknown, more: object = {}) => template({ FunctionName, ...more });

describe('a function that would change sides under one name', () => {
  test.each<[string, Template, Template, RegExp[]]>([
    ['nothing deployed', {}, managed, []],
    ['no change', ordinary, ordinary, []],
    ['no change of a managed one', managed, managed, []],
    ['another name', ordinary, renamed('x-managed', ON_PROVIDER), []],
    ['another name, back', renamed('x-managed', ON_PROVIDER), ordinary, []],
    ['onto a provider', ordinary, managed, [/: login-hooks-dev-samlLoggedIn is deployed without a capacity/]],
    ['off a provider', managed, ordinary, [/: login-hooks-dev-samlLoggedIn is deployed with a capacity/]],
    [
      'onto a provider that is filled in later',
      ordinary,
      template({ CapacityProviderConfig: { 'Fn::If': ['C', {}, {}] } }),
      [/is deployed without a capacity/],
    ],
    [
      'under another logical id',
      ordinary,
      { Resources: { Other: Object.values(managed.Resources ?? {})[0] } },
      [/^Other: login-hooks-dev-samlLoggedIn is deployed without/],
    ],
    [
      'with a name by CloudFormation',
      renamed(undefined),
      renamed(undefined, ON_PROVIDER),
      [new RegExp(`^${FN}: ${FN} is deployed without`)],
    ],
  ])('%s', (_, deployed, next, problems) => {
    expect(problemsOfSides(deployed, next)).toEqual(problems.map((one) => expect.stringMatching(one)));
  });
});

/** Asks by the SDK, as a deployment does, a Lambda that answers so. */
async function compared(next: Template, answer: object, status = 200, type = '') {
  const lambda = await httpServer((_, response) =>
    sendJson(response, answer, status, { 'x-amzn-errortype': type }),
  );
  const client = new LambdaClient({
    endpoint: lambda.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  try {
    const result = await problemsOfProviders(next, async (CapacityProviderName) => {
      const command = new GetCapacityProviderCommand({ CapacityProviderName });
      return (await client.send(command)).CapacityProvider ?? {};
    });
    return { ...result, asked: lambda.requests.map(({ path }) => decodeURIComponent(path)) };
  } finally {
    client.destroy();
    await lambda.close();
  }
}

const provider = (State: string, Architectures?: string[]) => ({
  CapacityProvider: { State, ...(Architectures && { InstanceRequirements: { Architectures } }) },
});
const onArm = template({ ...ON_PROVIDER, Architectures: ['arm64'] });

describe('a function and its provider', () => {
  test.each<[string, Template, object, RegExp[]]>([
    ['fit', onArm, provider('Active', ['arm64']), []],
    ['fit where any instance will do', onArm, provider('Active'), []],
    [
      'are of two architectures',
      onArm,
      provider('Active', ['x86_64']),
      [/for arm64, .*_ARCHITECTURE=x86_64$/],
    ],
    ['fit by default', managed, provider('Active', ['x86_64']), []],
    ['are of two architectures by default', managed, provider('Active', ['arm64']), [/is for x86_64, /]],
    ['do not run', onArm, provider('Failed', ['arm64']), [/ is Failed: expected Active$/]],
  ])('%s', async (_, next, answer, problems) => {
    expect(await compared(next, answer)).toMatchObject({
      problems: problems.map((one) => expect.stringMatching(one)),
      notes: [],
      asked: [expect.stringContaining(`/capacity-providers/${ARN}`)],
    });
  });

  test('nothing is asked without a provider, or of one that CloudFormation fills in', async () => {
    const CapacityProviderArn = { 'Fn::GetAtt': ['Provider', 'Arn'] };
    const filledIn = template({
      CapacityProviderConfig: { LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn } },
    });
    for (const one of [{}, ordinary, filledIn]) {
      expect(await compared(one, {})).toEqual({ problems: [], notes: [], asked: [] });
    }
  });

  test('a provider that is not there is a problem, and one that may not be asked is not', async () => {
    expect(await compared(onArm, {}, 404, 'ResourceNotFoundException')).toMatchObject({
      problems: [expect.stringMatching(/ does not exist: expected a capacity provider of this account$/)],
      notes: [],
    });
    expect(await compared(onArm, {}, 403, 'AccessDeniedException')).toMatchObject({
      problems: [],
      notes: [expect.stringMatching(/AccessDeniedException: allow lambda:GetCapacityProvider$/)],
    });
  });
});
