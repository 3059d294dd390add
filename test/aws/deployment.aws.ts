/** From `serverless deploy` to `serverless remove`: what is deployed, and how it runs. */
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unwrap } from '../../tools/local/events.ts';
import { answerOf, type RunningFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpsServer, sendJson } from '../support/servers.ts';
import { samlEvent } from '../support/wire.ts';
import { account, clientConfig } from './machine/aws.ts';
import { deployedFunction, startDeployed } from './machine/deployed.ts';
import { DEPLOY_TIMEOUT_MS, deploy, serverless } from './machine/deployment.ts';

const FUNCTIONS = ['openidLoggedIn', 'samlLoggedIn'] as const;
const ROLE = 'login-hooks-dev-eu-central-1-lambdaRole';
const SECRET = 'login-hooks/directory-token';

const samples = await projectSamples();
let codeSha256: string | undefined;

describe('deployed without settings', () => {
  beforeAll(() => deploy({}), DEPLOY_TIMEOUT_MS);

  test('both functions are there, with no variable but the digest of their code', async () => {
    for (const name of FUNCTIONS) {
      const { configuration } = await deployedFunction(name);
      expect(configuration).toMatchObject({
        Runtime: 'nodejs24.x',
        Handler: `dist/functions/${name}.handler`,
        Role: `arn:aws:iam::123456789012:role/${ROLE}`,
      });
      expect(Object.keys(configuration.Environment?.Variables ?? {})).toEqual(['CODE_VERSION']);
      codeSha256 = configuration.CodeSha256;
    }
    expect(await account()).toEqual({
      stacks: ['login-hooks-dev'],
      functions: FUNCTIONS.map((name) => `login-hooks-dev-${name}`),
      roles: [ROLE],
      buckets: [expect.stringMatching(/^login-hooks-dev-serverlessdeploymentbucket-/)],
      logGroups: [
        '/aws/http-api/login-hooks-dev',
        ...FUNCTIONS.map((name) => `/aws/lambda/login-hooks-dev-${name}`),
      ],
    });
  });

  describe.each(FUNCTIONS)('%s', (name) => {
    const own = samples.filter(
      ({ functionName, expected }) => functionName === name && expected?.handler === undefined,
    );
    let fn: RunningFunction;
    beforeAll(async () => {
      fn = await startDeployed(name);
    });
    afterAll(() => fn.stop());

    test.each(own)('answers $name as expected', async ({ event, expected }) => {
      const { status, answer } = unwrap(await fn.invoke(event));
      expect({ status: status ?? 200, answer }).toEqual(expected);
    });

    test('logs one record a login, as Lambda writes it', async () => {
      await fn.stop();
      const [first, ...logins] = fn.records();
      expect(first).toMatchObject({ level: 'INFO', event: 'cold_start', function: name, handler: 'default' });
      expect(logins).toHaveLength(own.length);
      for (const record of logins) expect(record).toMatchObject({ event: 'login', function: name });
      expect(fn.output().split('\n')[0]).toMatch(/^\{"timestamp":".*","level":"INFO",.*"message":\{/);
    });
  });
});

describe('deployed again with a handler, and a secret', () => {
  const secrets = new SecretsManagerClient(clientConfig());
  const TOKEN = 'token-of-the-directory';
  let directory: Awaited<ReturnType<typeof httpsServer>>;

  beforeAll(async () => {
    directory = await httpsServer((request, response) => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return sendJson(response, {}, 401);
      const person = { givenName: 'Ada', sn: 'Lovelace', mail: 'ada@example.org', department: 'Analysis' };
      return sendJson(response, person);
    });
    deploy({ SAML_HANDLER_MODULE: 'handlers/directory-lookup', SECRET_IDS: SECRET });
  }, DEPLOY_TIMEOUT_MS);
  afterAll(async () => {
    secrets.destroy();
    await directory.close();
  });

  test('the code is the same as before', async () => {
    for (const name of FUNCTIONS) {
      const { configuration } = await deployedFunction(name);
      expect(configuration.CodeSha256).toBe(codeSha256);
    }
  });

  test('a look-up opens the directory with the secret', async () => {
    const ofTheHandler = {
      DIRECTORY_URL: `${directory.url}/api`,
      DIRECTORY_ISSUER: 'https://idp.example.org/saml',
      NODE_EXTRA_CA_CERTS: await customHandler(directory.ca, '.pem'),
    };
    const login = async () => {
      const fn = await startDeployed('samlLoggedIn', ofTheHandler);
      const { answer, record } = await answerOf(fn, samlEvent()).finally(fn.stop);
      expect(fn.output()).not.toContain(TOKEN);
      return { answer, reason: record?.reason };
    };
    expect(await login()).toMatchObject({ answer: { type: 'ErrorResponse' }, reason: 'secret_not_found' });
    expect(directory.requests).toEqual([]);

    const { ARN } = await secrets.send(new CreateSecretCommand({ Name: SECRET, SecretString: TOKEN }));
    // Of the form that the role's statement lists.
    expect(ARN).toMatch(new RegExp(`:secret:${SECRET}-.{6}$`));
    const profile = { first_name: 'Ada', last_name: 'Lovelace', affiliation: 'Analysis' };
    expect(await login()).toMatchObject({ answer: profile, reason: 'authorized' });
    expect(directory.requests).toMatchObject([{ path: '/api/people/_name-id-1' }]);
  });
});

test(
  'removed, it leaves nothing',
  async () => {
    expect((await account()).stacks).toEqual(['login-hooks-dev']);
    serverless(['remove']);
    expect(await account()).toEqual({ stacks: [], functions: [], roles: [], buckets: [], logGroups: [] });
  },
  DEPLOY_TIMEOUT_MS,
);
