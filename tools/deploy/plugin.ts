/** What this project adds to `serverless`: functions, settings, rights, checks of ways in, building, verifying. */
import { JUDGED_VARIABLES } from '../../lib/environment.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import {
  checkSettingNames,
  forgottenStage,
  notesOfUnpassed,
  type SettingFiles,
  sourceOf,
} from '../shared/dotenv.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import { terminalText } from '../shared/terminal.ts';
import { bringSettings } from './bringSettings.ts';
import { bringFunctions } from './broughtFunctions.ts';
import { authorizeRoutes } from './callers.ts';
import { loginFunctions } from './loginFunctions.ts';
import { useManagedInstances } from './managedInstances.ts';
import { watch } from './monitoring.ts';
import { grantSecrets } from './secretRights.ts';
import type { Serverless, Service } from './service.ts';
import { judgeUploads } from './uploads.ts';

const ACCEPT_WEAKER = {
  'accept-weaker': { usage: 'Let this deployment remove a protection', type: 'boolean' },
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
      this.#refuse('expected serverless deploy, because this would change a function without its routes'),
  };
  readonly #serverless: Serverless;
  readonly #acceptsWeaker: boolean;
  /** A line for each function. */
  #inForce = '';

  constructor(serverless: Serverless, cliOptions: CliOptions) {
    this.#serverless = serverless;
    this.#acceptsWeaker = cliOptions['accept-weaker'] === true;
    // For help, only the plugins are read.
    if (!serverless.processedInput.isHelpRequest) this.#bringFunctions();
  }

  #bringFunctions(): void {
    try {
      bringFunctions(this.#serverless);
    } catch (error) {
      if (error instanceof UnusableInput) this.#refuse(error.message);
      throw error;
    }
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

  async #buildAndVerify(): Promise<void> {
    const files = this.#settingFiles();
    const { problems, notes } = checkSettingNames(files);
    const forgotten = loginFunctions(this.#serverless.service).flatMap(({ code, settings }) => {
      const { handler } = OF_CODE[code];
      return settings[handler] === undefined ? forgottenStage(handler, files) : [];
    });
    const refused = [...problems, ...forgotten];
    if (refused.length > 0) this.#refuse(refused.join('\n'));
    for (const note of [...notes, ...notesOfUnpassed(files)]) console.error(note);
    // Loaded for this alone: they bring esbuild.
    const { prepareBundle } = await import('../bundle/prepareBundle.ts');
    const { verifyFunction } = await import('./verify.ts');
    const { FUNCTION_NAMES } = await import('../shared/projectFunctions.ts');
    const codes = loginFunctions(this.#serverless.service).map(({ code }) => code);
    if (codes.length === 0)
      this.#refuse(
        `${files.configuration}: found no login function: expected custom.loginHooks.kinds: [openid] or [saml]`,
      );
    // The service may have a function of another kind, written out.
    const functions = [...new Set([...FUNCTION_NAMES, ...codes])];
    await prepareBundle({ functions }).catch(({ message }: Error) => this.#refuse(terminalText(message)));
    const found: string[] = [];
    for (const fn of verifiableFunctions(this.#serverless.service)) {
      const sourceOfOwn = (name: string) => sourceOf(name, fn.env[name], files);
      const verified = await verifyFunction({ ...fn, sourceOf: sourceOfOwn });
      this.#inForce += verified.notes.map((line) => `${terminalText(line)}\n`).join('');
      found.push(...verified.problems.map(terminalText));
    }
    if (found.length > 0) this.#refuse(found.join('\n'));
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

/** The functions, each with what is verified of its environment. */
function verifiableFunctions(service: Service): { label: string; name: string; env: NodeJS.ProcessEnv }[] {
  return loginFunctions(service).map(({ name: label, code: name, settings }) => {
    // Layers are not on this machine.
    const judged = Object.entries(settings).filter(([variable]) => !JUDGED_VARIABLES.includes(variable));
    // What is for one's own machine alone is refused, as on Lambda.
    const env = { PATH: process.env.PATH, ...Object.fromEntries(judged), AWS_LAMBDA_RUNTIME_API: 'none' };
    return { label, name, env };
  });
}

/** Issuers without their check are no mistake, but may be one. */
function uncheckedIssuers(service: Service): string[] {
  return loginFunctions(service).flatMap(({ name, code, environment }) => {
    const { issuers, check } = OF_CODE[code];
    if (environment[issuers] === undefined || environment[check] !== undefined) return [];
    return [`${name}: ${issuers} is set but ${check} is not, so nothing is checked`];
  });
}
