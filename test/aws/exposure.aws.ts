/** What is judged is what is uploaded: with a package of before, after later plugins, and for an earlier deployment too. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { type Service, writeService } from '../support/services.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { account } from './machine/aws.ts';
import { DEPLOY_TIMEOUT_MS, serverless } from './machine/deployment.ts';

const STACK = 'ways-in-dev';
const ROUTE = 'HttpApiRoutePostSaml';
const OPEN_ROUTE = `${ROUTE}: AWS::ApiGatewayV2::Route: anybody may call it`;
const GUARDED: Service = {
  fn: { events: [{ httpApi: { method: 'POST', path: '/saml', authorizer: { type: 'aws_iam' } } }] },
};
const TABLE = { Own: { Type: 'AWS::SNS::Topic' } };

const parent = temporaryFolder(join(PROJECT, '.build-test-'));
const service = (options: Service) => writeService(parent, options);
const run = (folder: string, ...args: string[]) => serverless(args, {}, folder);

test.each(['compiledCloudFormationTemplate', 'coreCloudFormationTemplate'])(
  'a package whose %s is open is not deployed, and nothing is made',
  async (name) => {
    const folder = service(GUARDED);
    run(folder, 'package', '--package', 'packaged');
    const file = join(folder, 'packaged', 'serverless-state.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    const open = structuredClone(state.service.provider.compiledCloudFormationTemplate);
    delete open.Resources[ROUTE].Properties.AuthorizationType;
    state.service.provider[name] = open;
    // What a package says of itself counts for nothing.
    state.service.custom.loginHooks.others = { [ROUTE]: 'mutual TLS' };
    writeFileSync(file, JSON.stringify(state));
    expect(() => run(folder, 'deploy', '--package', 'packaged')).toThrow(OPEN_ROUTE);
    expect((await account()).stacks).not.toContain(STACK);
  },
  DEPLOY_TIMEOUT_MS,
);

/** A plugin that opens the route at a hook of a deployment. */
const openedAt = (hook: string): Service => ({
  ...GUARDED,
  plugin: `module.exports = class Later {
    constructor({ service }) {
      this.hooks = {
        '${hook}': () => {
          const { Resources } = service.provider.compiledCloudFormationTemplate;
          delete Resources.${ROUTE}.Properties.AuthorizationType;
        },
      };
    }
  };\n`,
});

test.each(['before:aws:deploy:deploy:createStack', 'before:aws:deploy:deploy:uploadArtifacts'])(
  'what a later plugin opens at %s changes no stack',
  async (hook) => {
    const folder = service(openedAt(hook));
    expect(() => run(folder, 'deploy')).toThrow(OPEN_ROUTE);
    expect((await account()).functions).toEqual([]);
    run(folder, 'remove');
  },
  2 * DEPLOY_TIMEOUT_MS,
);

test(
  'an earlier deployment does not come back, unless what else it has is named',
  () => {
    const named = service({ ...GUARDED, resources: { Resources: TABLE }, others: { Own: 'for alarms' } });
    const plain = service(GUARDED);
    try {
      expect(run(named, 'deploy')).toContain('Own is named in custom.loginHooks.others: for alarms');
      run(plain, 'deploy');
      const times = run(plain, 'deploy', 'list').match(/(?<=Timestamp: )\d+/g) ?? [];
      const [first = '', second = ''] = times.sort();
      const refused = 'Own: AWS::SNS::Topic: serverless makes none for the login functions';
      expect(() => run(plain, 'rollback', '--timestamp', first)).toThrow(refused);
      expect(run(named, 'rollback', '--timestamp', first)).toContain('Own is named');
      // The deployment of then needs no name, and is not refused for it.
      expect(run(named, 'rollback', '--timestamp', second)).toContain('rolled back');
    } finally {
      run(plain, 'remove');
    }
  },
  8 * DEPLOY_TIMEOUT_MS,
);
