/** What `serverless deploy` and `serverless rollback` say of a change, and what they refuse without `--accept-weaker`. */
import { join } from 'node:path';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { clientConfig } from '../support/aws.ts';
import { DEPLOY_TIMEOUT_MS, serverless } from '../support/deployment.ts';
import { type Service, writeService } from '../support/services.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const CHECKED = {
  SAML_HANDLER_MODULE: 'handlers/own',
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: '{"urn:idp":{"audiences":["a"],"recipients":["b"]}}',
};
const WEAKER = { SECRET_IDS: 'a' };
const REFUSAL = 'This removes a protection that is deployed. If you mean it, add --accept-weaker';

const parent = temporaryFolder(join(PROJECT, '.build-test-'));

const service = (environment: Record<string, string>, more: Service = {}) =>
  writeService(parent, { ...more, fn: { environment } });

/** What a command says of changes. */
function run(folder: string, ...args: string[]): string[] {
  return told(serverless(args, {}, folder));
}

function refused(folder: string, ...args: string[]): string[] {
  try {
    serverless(args, {}, folder);
  } catch (error) {
    expect((error as Error).message).toContain(REFUSAL);
    return told((error as Error).message);
  }
  throw new Error('expected to be refused');
}

const told = (output: string) => output.match(/(?<=^|: )samlLoggedIn: .*/gm) ?? [];

async function deployedVariables() {
  const client = new LambdaClient(clientConfig());
  const command = new GetFunctionConfigurationCommand({ FunctionName: 'ways-in-dev-samlLoggedIn' });
  const { Environment } = await client.send(command);
  client.destroy();
  return Environment?.Variables;
}

const LESS = [
  'samlLoggedIn: handler handlers/own → default (weaker)',
  'samlLoggedIn: assertion check on → off (weaker)',
  'samlLoggedIn: issuer urn:idp is removed',
  'samlLoggedIn: secrets none → a',
];
const MORE = [
  'samlLoggedIn: handler default → handlers/own',
  'samlLoggedIn: assertion check off → on',
  'samlLoggedIn: issuer urn:idp is new',
  'samlLoggedIn: secrets a → none',
];

test(
  'a deployment tells what it changes, and takes no protection away unless it is asked to',
  async () => {
    const checked = service(CHECKED);
    const weaker = service(WEAKER);
    try {
      expect(run(checked, 'deploy')).toEqual([]);
      expect(run(checked, 'deploy')).toEqual([]);
      expect(refused(weaker, 'deploy')).toEqual(LESS);
      expect(await deployedVariables()).toEqual(CHECKED);
      expect(run(weaker, 'deploy', '--accept-weaker')).toEqual(LESS);
      expect(await deployedVariables()).toEqual(WEAKER);
      expect(run(checked, 'deploy')).toEqual(MORE);
      const [, open = ''] = deployments(checked).sort();
      expect(refused(checked, 'rollback', '--timestamp', open)).toEqual(LESS);
      expect(await deployedVariables()).toEqual(CHECKED);
      expect(run(checked, 'rollback', '--timestamp', open, '--accept-weaker')).toEqual(LESS);
      expect(await deployedVariables()).toEqual(WEAKER);
    } finally {
      run(checked, 'remove');
    }
  },
  12 * DEPLOY_TIMEOUT_MS,
);

function deployments(folder: string): string[] {
  return serverless(['deploy', 'list'], {}, folder).match(/(?<=Timestamp: )\d+/g) ?? [];
}

/** At this hook, nothing but the upload is left. */
const AT_UPLOAD = `module.exports = class Later {
  constructor({ service }) {
    this.hooks = {
      'before:aws:deploy:deploy:uploadArtifacts': () => {
        const { Resources } = service.provider.compiledCloudFormationTemplate;
        delete Resources.SamlLoggedInLambdaFunction.Properties.Environment;
      },
    };
  }
};\n`;

test(
  'what a later plugin takes away at the last moment is refused',
  async () => {
    const checked = service(CHECKED);
    try {
      run(checked, 'deploy');
      const changed = service({ ...CHECKED, RESPONSE_NAMES: 'camelCase' }, { plugin: AT_UPLOAD });
      expect(refused(changed, 'deploy')).toContain('samlLoggedIn: assertion check on → off (weaker)');
      expect(await deployedVariables()).toEqual(CHECKED);
    } finally {
      run(checked, 'remove');
    }
  },
  4 * DEPLOY_TIMEOUT_MS,
);

/** As for somebody who may deploy and may not read the template. */
const UNREADABLE = `const { CloudFormationClient, GetTemplateCommand } = require('@aws-sdk/client-cloudformation');
module.exports = class Later {
  constructor() {
    const { send } = CloudFormationClient.prototype;
    CloudFormationClient.prototype.send = function (command, ...more) {
      if (!(command instanceof GetTemplateCommand)) return send.call(this, command, ...more);
      return Promise.reject(Object.assign(new Error('not allowed'), { name: 'AccessDenied' }));
    };
  }
};\n`;

test(
  'where the deployed template cannot be read, nothing is deployed unless it is asked for',
  () => {
    const checked = service(CHECKED);
    const unreadable = service(CHECKED, { plugin: UNREADABLE });
    const problem = 'the template of ways-in-dev cannot be read, so nothing can be compared: AccessDenied';
    try {
      run(checked, 'deploy');
      expect(() => run(unreadable, 'deploy')).toThrow(`${problem}: allow cloudformation:GetTemplate`);
      expect(serverless(['deploy', '--accept-weaker'], {}, unreadable)).toContain(problem);
    } finally {
      run(checked, 'remove');
    }
  },
  4 * DEPLOY_TIMEOUT_MS,
);
