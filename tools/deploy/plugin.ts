/** What this project adds to `serverless`: checks of settings, rights and ways in, building, verifying. */
import { execFileSync } from 'node:child_process';
import { JUDGED_VARIABLES } from '../../lib/environment.ts';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { deploymentProblems, problemsOfService } from '../shared/deployment.ts';
import { checkSettingNames, notesOfUnpassed, type SettingFiles, sourceOf } from '../shared/dotenv.ts';
import { authorizeRoutes } from './callers.ts';
import { loginFunctions, problemsOfEnvironments } from './functions.ts';
import { useManagedInstances } from './managedInstances.ts';
import { watch } from './monitoring.ts';
import { grantSecrets } from './secrets.ts';
import type { Refuse, Serverless, Service } from './service.ts';
import { judgeUploads } from './uploads.ts';
import type { Values } from './waysIn/template.ts';

const ACCEPT_WEAKER = {
  'accept-weaker': { usage: 'Let this deployment remove a protection', type: 'boolean' },
};

interface CliOptions {
  'accept-weaker'?: boolean;
}

export class ServerlessPlugin {
  readonly commands: object;
  readonly hooks: Readonly<Record<string, () => void>>;
  readonly asyncInit: () => Promise<void>;

  constructor(serverless: Serverless, cliOptions: CliOptions) {
    const { service, serviceDir } = serverless;
    this.commands = { deploy: { options: ACCEPT_WEAKER }, rollback: { options: ACCEPT_WEAKER } };
    const refuse: Refuse = (problem) => {
      throw new serverless.classes.Error(problem, 'LOGIN_HOOKS');
    };
    const refuseAny = (problems: string[]) => {
      if (problems.length > 0) refuse(problems.join('\n'));
    };
    const withSource = (problem: string) =>
      `${sourceOfEnvironment(/^\w+/.exec(problem)?.[0] ?? '', files())}: ${problem}`;
    const npmRun = (script: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env) => {
      try {
        return outputOf(script, args, { cwd: serviceDir, env });
      } catch (error) {
        const { stdout } = error as { stdout?: string };
        process.stderr.write(stdout ?? '');
        return refuse(`npm run ${script} failed, see above`);
      }
    };
    const files = (): Required<SettingFiles> => ({
      folder: serviceDir,
      stage: serverless.configurationInput.useDotenv ? serverless.getProvider('aws').getStage() : null,
      configuration: serverless.configurationFilename,
    });
    const checkNames = () => {
      const { problems, notes } = checkSettingNames(files());
      refuseAny(problems);
      for (const note of notes) console.error(note);
    };
    let inForce = '';
    const buildAndVerify = () => {
      checkNames();
      for (const note of notesOfUnpassed(files())) console.error(note);
      npmRun('build');
      for (const { names, settings } of environments(service)) {
        const sources = SETTING_NAMES.map((name) => `${name}=${sourceOf(name, settings[name], files())}`);
        const env = { PATH: process.env.PATH, ...settings };
        inForce += npmRun('verify', [...names, '--sources', sources.join(',')], env);
      }
    };
    // Before `serverless` judges its configuration, which names no setting.
    this.asyncInit = async () => {
      if (!serverless.processedInput.isHelpRequest)
        refuseAny(deploymentProblems(process.env).map(withSource));
    };
    this.hooks = {
      initialize: () => {
        for (const { environment } of [service.provider, ...Object.values(service.functions)]) {
          leaveOutUnset(environment);
        }
        const aws = serverless.getProvider('aws');
        authorizeRoutes(service);
        judgeUploads(serverless, { refuse, acceptsWeaker: cliOptions['accept-weaker'] === true });
        const { configuration } = files();
        refuseAny(problemsOfEnvironments(service).map((problem) => `${configuration}: ${problem}`));
        grantSecrets(service);
        refuseAny(
          [
            ...useManagedInstances(service, aws.naming, aws.getRegion()),
            ...problemsOfService(service),
            ...watch(service, aws.naming),
          ].map(withSource),
        );
        for (const warning of uncheckedIssuers(service)) console.error(warning);
      },
      'before:package:initialize': buildAndVerify,
      // After all else. On stderr, because stdout is for what a command of `serverless` answers.
      finalize: () => process.stderr.write(inForce),
      // It changes a function's settings and leaves its routes: what guards them could be gone.
      'before:deploy:function:initialize': () =>
        refuse('expected serverless deploy, because this would change a function without its routes'),
    };
  }
}

/** Under the Node that the project brings along, whichever one runs `serverless`. */
function outputOf(
  script: string,
  args: string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): string {
  return execFileSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd,
    env,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
}

/** A setting that the environment does not have is from the configuration. */
function sourceOfEnvironment(name: string, files: Required<SettingFiles>): string {
  const value = process.env[name];
  return value === undefined ? files.configuration : sourceOf(name, value, files);
}

/** `${env:NAME, null}` is null where NAME is not set: the setting is then left out. */
function leaveOutUnset(environment: Values = {}): void {
  for (const [name, value] of Object.entries(environment)) if (value === null) delete environment[name];
}

/** The functions that have the same settings, as `npm run verify` takes their names. */
function environments(service: Service): { names: string[]; settings: Record<string, string> }[] {
  const named = new Map<string, string[]>();
  for (const { name, code, settings } of loginFunctions(service)) {
    const key = JSON.stringify(settings, (variable, value) =>
      // Layers are not on this machine.
      JUDGED_VARIABLES.includes(variable) ? undefined : value,
    );
    named.set(key, [...(named.get(key) ?? []), name === code ? name : `${name}:${code}`]);
  }
  return Array.from(named, ([settings, names]) => ({ names, settings: JSON.parse(settings) }));
}

const CHECKS = { OPENID_ISSUERS: 'OPENID_TOKEN_CHECK', SAML_ISSUERS: 'SAML_ASSERTION_CHECK' };

/** Issuers without their check are no mistake, but may be one. */
function uncheckedIssuers(service: Service): string[] {
  return loginFunctions(service).flatMap(({ name, environment }) =>
    Object.entries(CHECKS)
      .filter(([issuers, check]) => environment[issuers] !== undefined && environment[check] === undefined)
      .map(([issuers, check]) => `${name}: ${issuers} is set but ${check} is not, so nothing is checked`),
  );
}
