/** What this project adds to `serverless`: settings, rights, checks of ways in, building, verifying. */
import { execFileSync } from 'node:child_process';
import { JUDGED_VARIABLES } from '../../lib/environment.ts';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { checkSettingNames, notesOfUnpassed, type SettingFiles, sourceOf } from '../shared/dotenv.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import { authorizeRoutes } from './callers.ts';
import { loginFunctions } from './functions.ts';
import { useManagedInstances } from './managedInstances.ts';
import { watch } from './monitoring.ts';
import { grantSecrets } from './secrets.ts';
import type { Serverless, Service } from './service.ts';
import { bringSettings } from './settings.ts';
import { judgeUploads } from './uploads.ts';

const ACCEPT_WEAKER = {
  'accept-weaker': { usage: 'Let this deployment take a protection away', type: 'boolean' },
};

interface CliOptions {
  'accept-weaker'?: boolean;
}

export class ServerlessPlugin {
  readonly commands = { deploy: { options: ACCEPT_WEAKER }, rollback: { options: ACCEPT_WEAKER } };
  readonly hooks = {
    initialize: () => this.#prepare(),
    'before:package:initialize': () => this.#buildAndVerify(),
    // After all else. On stderr, because stdout is for what a command of `serverless` answers.
    finalize: () => process.stderr.write(this.#inForce),
    // It changes a function's settings and leaves its routes: what guards them could be gone.
    'before:deploy:function:initialize': () =>
      this.#refuse('expected serverless deploy: a function alone would be changed without its routes'),
  };
  readonly #serverless: Serverless;
  readonly #acceptsWeaker: boolean;
  /** A line for each function. */
  #inForce = '';

  constructor(serverless: Serverless, cliOptions: CliOptions) {
    this.#serverless = serverless;
    this.#acceptsWeaker = cliOptions['accept-weaker'] === true;
  }

  /** Changes the service, which `serverless` has read and made a template of afterwards. */
  #prepare(): void {
    const { service } = this.#serverless;
    const aws = this.#serverless.getProvider('aws');
    this.#refuseAny(bringSettings(service, process.env, aws.getStage()));
    authorizeRoutes(service);
    judgeUploads(this.#serverless, {
      refuse: (problem) => this.#refuse(problem),
      acceptsWeaker: this.#acceptsWeaker,
    });
    grantSecrets(service);
    this.#refuseAny([
      ...useManagedInstances(service, aws.naming, aws.getRegion()),
      ...watch(service, aws.naming),
    ]);
    for (const warning of uncheckedIssuers(service)) console.error(warning);
  }

  #buildAndVerify(): void {
    const files = this.#settingFiles();
    const { problems, notes } = checkSettingNames(files);
    if (problems.length > 0) this.#refuse(problems.join('\n'));
    for (const note of [...notes, ...notesOfUnpassed(files)]) console.error(note);
    this.#npmRun('build');
    for (const { names, settings } of environments(this.#serverless.service)) {
      const sources = SETTING_NAMES.map((name) => `${name}=${sourceOf(name, settings[name], files)}`);
      const env = { PATH: process.env.PATH, ...settings };
      this.#inForce += this.#npmRun('verify', [...names, '--sources', sources.join(',')], env);
    }
  }

  #settingFiles(): SettingFiles {
    const { serviceDir, configurationInput, configurationFilename } = this.#serverless;
    return {
      folder: serviceDir,
      stage: configurationInput.useDotenv ? this.#serverless.getProvider('aws').getStage() : null,
      configuration: configurationFilename,
      env: process.env,
    };
  }

  #npmRun(script: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env): string {
    try {
      return outputOf(script, args, { cwd: this.#serverless.serviceDir, env });
    } catch (error) {
      const { stdout } = error as { stdout?: string };
      process.stderr.write(stdout ?? '');
      return this.#refuse(`npm run ${script} failed, see above`);
    }
  }

  /** @param problems each begins with its setting */
  #refuseAny(problems: string[]): void {
    const files = this.#settingFiles();
    const told = problems.map((problem) => {
      const name = /^\w+/.exec(problem)?.[0] ?? '';
      const value = process.env[name];
      return `${value === undefined ? files.configuration : sourceOf(name, value, files)}: ${problem}`;
    });
    if (told.length > 0) this.#refuse(told.join('\n'));
  }

  /** Ends the command. */
  #refuse(problem: string): never {
    throw new this.#serverless.classes.Error(problem, 'LOGIN_HOOKS');
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

/** Issuers without their check are no mistake, but may be one. */
function uncheckedIssuers(service: Service): string[] {
  return loginFunctions(service).flatMap(({ name, code, environment }) => {
    const { issuers, check } = OF_CODE[code];
    if (environment[issuers] === undefined || environment[check] !== undefined) return [];
    return [`${name}: ${issuers} is set, and ${check} is not: nothing is checked`];
  });
}
