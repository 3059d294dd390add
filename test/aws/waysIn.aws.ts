/** What is judged is what is uploaded: with a package of before, and for an earlier deployment too. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FORMS } from '../../tools/deploy/waysIn/table.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { account } from '../support/account.ts';
import { DEPLOY_TIMEOUT_MS, serverless } from '../support/deployment.ts';
import { type Service, writeService } from '../support/services.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const STACK = 'ways-in-dev';
const ROUTE = 'HttpApiRoutePostSaml';
const OPEN_ROUTE = `${ROUTE}: AWS::ApiGatewayV2::Route ${FORMS['open route'].says}`;
const httpApi = (authorizer?: object) => ({
  httpApi: { method: 'POST', path: '/saml', ...(authorizer && { authorizer }) },
});
const GUARDED: Service = { fn: { events: [httpApi({ type: 'aws_iam' })] } };
const OPEN: Service = { fn: { events: [httpApi()] } };
const EXEMPT: Service = { ...OPEN, custom: { loginHooks: { guardedElsewhere: { [ROUTE]: 'mutual TLS' } } } };

/** At this hook, nothing but the upload is left. */
const AT_UPLOAD = `module.exports = class Later {
  constructor({ service }) {
    this.hooks = {
      'before:aws:deploy:deploy:uploadArtifacts': () => {
        const { Resources } = service.provider.compiledCloudFormationTemplate;
        delete Resources.${ROUTE}.Properties.AuthorizationType;
      },
    };
  }
};\n`;

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
    state.service.custom.loginHooks = { guardedElsewhere: { [ROUTE]: 'mutual TLS' } };
    writeFileSync(file, JSON.stringify(state));
    expect(() => run(folder, 'deploy', '--package', 'packaged')).toThrow(OPEN_ROUTE);
    expect((await account()).stacks).not.toContain(STACK);
  },
  DEPLOY_TIMEOUT_MS,
);

test(
  'what a later plugin opens at the last moment is not uploaded',
  async () => {
    const folder = service({ ...GUARDED, plugin: AT_UPLOAD });
    expect(() => run(folder, 'deploy')).toThrow(OPEN_ROUTE);
    expect((await account()).functions).toEqual([]);
    run(folder, 'remove');
  },
  2 * DEPLOY_TIMEOUT_MS,
);

test(
  'an earlier deployment that is open does not come back, unless something else guards it',
  () => {
    const exempt = service(EXEMPT);
    const guarded = service(GUARDED);
    try {
      expect(run(exempt, 'deploy')).toContain(`${ROUTE} is guarded elsewhere: mutual TLS`);
      run(guarded, 'deploy');
      const times = run(guarded, 'deploy', 'list').match(/(?<=Timestamp: )\d+/g) ?? [];
      const [open = '', closed = ''] = times.sort();
      expect(() => run(guarded, 'rollback', '--timestamp', open)).toThrow(OPEN_ROUTE);
      expect(run(exempt, 'rollback', '--timestamp', open)).toContain('is guarded elsewhere: mutual TLS');
      // The deployment of then needs no exemption, and is not refused for it.
      expect(run(exempt, 'rollback', '--timestamp', closed)).toContain('rolled back');
    } finally {
      run(guarded, 'remove');
    }
  },
  8 * DEPLOY_TIMEOUT_MS,
);
