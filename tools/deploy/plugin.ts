/** What this project adds to `serverless`: functions, settings, rights, alarms, building, verifying, and judging what is deployed. */
import { join } from 'node:path';
import { isJudged } from '../../lib/forbiddenVariables.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Configuration, loginHooksIn, readConfiguration } from '../shared/configuration.ts';
import { checkSettingNames, notesOfUnpassed, type SettingFiles, sourceOf } from '../shared/dotenv.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import { terminalText } from '../shared/terminal.ts';
import { bringSettings } from './bringSettings.ts';
import { bringFunctions } from './broughtFunctions.ts';
import { authorizeRoutes } from './callers.ts';
import { missingCertificates } from './certificates.ts';
import { judge, type Others } from './exposure/judge.ts';
import { loginFunctions } from './loginFunctions.ts';
import { watch } from './monitoring.ts';
import { earlierTemplate } from './rollback.ts';
import { grantSecrets } from './secretRights.ts';
import type { Serverless, Service } from './service.ts';

interface CliOptions {
  timestamp?: string;
}

export class ServerlessPlugin {
  readonly hooks = {
    initialize: () => this.#prepare(),
    'before:package:initialize': () => this.#buildAndVerify(),
    // At each moment before something is written, uploaded or changed: another plugin may have edited the template since.
    'before:aws:package:finalize:saveServiceState': () => {
      this.#refuseAny(missingCertificates(this.#serverless));
      this.#judgeTemplate();
    },
    'after:package:finalize': () => this.#judgeTemplate(),
    'before:aws:deploy:deploy:createStack': () => {
      this.#judge(this.#serverless.service.provider.coreCloudFormationTemplate ?? {}, true);
      this.#judgeTemplate();
    },
    'before:aws:deploy:deploy:uploadArtifacts': () => this.#judgeTemplate(),
    'before:aws:deploy:deploy:updateStack': () => this.#judgeTemplate(),
    // What an earlier deployment had may have needed no name.
    'before:rollback:rollback': async () => {
      const { timestamp } = this.#options;
      if (timestamp) this.#judge(await earlierTemplate(this.#serverless, timestamp), true);
    },
    // They have no template, so nobody sees what they open.
    'before:deploy:function:initialize': () =>
      this.#refuse('expected serverless deploy: this has no template'),
    'before:rollback:function:rollback': () =>
      this.#refuse('expected serverless rollback: this has no template'),
    // After all else. On stderr, because stdout is for what a command of `serverless` answers.
    finalize: () => process.stderr.write(this.#inForce),
  };
  readonly #serverless: Serverless;
  readonly #options: CliOptions;
  #configuration: Configuration | undefined;
  #others: Others = {};
  readonly #told = new Set<string>();
  /** A line for each function. */
  #inForce = '';

  constructor(serverless: Serverless, options: CliOptions) {
    this.#serverless = serverless;
    this.#options = options;
    // For help, only the plugins are read.
    if (!serverless.processedInput.isHelpRequest) this.#refuseUnusable(() => this.#bringFunctions());
  }

  #bringFunctions(): void {
    const { serviceDir, configurationFilename } = this.#serverless;
    this.#configuration = readConfiguration(join(serviceDir, configurationFilename));
    bringFunctions(this.#serverless, this.#configuration);
  }

  /** Changes the service, which `serverless` has read and made a template of afterwards. */
  #prepare(): void {
    const { service } = this.#serverless;
    const aws = this.#serverless.getProvider('aws');
    const files = this.#settingFiles();
    const { handlers = {} } = this.#configuration ?? {};
    const { problems, notes } = bringSettings(service, files, { handlers, stage: aws.getStage() });
    // Now without variables. Read once: `deploy --package` replaces the configuration by that of the package.
    this.#refuseUnusable(() => {
      const { others } = loginHooksIn({ custom: service.custom }, files.configuration);
      const named = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== null);
      this.#others = Object.fromEntries(named);
    });
    this.#refuseAny([...problems, ...authorizeRoutes(service)]);
    grantSecrets(service);
    this.#refuseAny(watch(service, aws.naming));
    for (const note of [...notes, ...uncheckedIssuers(service)]) this.#tell(note);
  }

  async #buildAndVerify(): Promise<void> {
    const { service } = this.#serverless;
    const files = this.#settingFiles();
    const { problems, notes } = checkSettingNames(files);
    const functions = loginFunctions(service);
    this.#refuseLines(problems);
    for (const note of [...notes, ...notesOfUnpassed(files)]) this.#tell(note);
    // Loaded for this alone: they bring esbuild.
    const { prepareBundle } = await import('../bundle/build.ts');
    const { verifyFunction } = await import('./verify.ts');
    const { CODE_VERSION, codeVersion } = await import('./codeVersion.ts');
    await prepareBundle({ functions: functions.map(({ name }) => name) }).catch(({ message }: Error) =>
      this.#refuse(terminalText(message)),
    );
    const version = await codeVersion();
    for (const { fn } of functions) fn.environment = { ...fn.environment, [CODE_VERSION]: version };
    const found: string[] = [];
    for (const { name, settings } of functions) {
      const env = environmentOf(settings);
      const sourceOfOwn = (setting: string) => sourceOf(setting, env[setting], files);
      const verified = await verifyFunction({ label: name, name, env, sourceOf: sourceOfOwn });
      this.#inForce += verified.notes.map((line) => `${terminalText(line)}\n`).join('');
      found.push(...verified.problems.map(terminalText));
    }
    this.#refuseLines(found);
  }

  /** With `deploy --package`, the template in memory is the one of the package. */
  #judgeTemplate(): void {
    const { provider, custom = {} } = this.#serverless.service;
    this.#judge(provider.compiledCloudFormationTemplate, false);
    if (custom.monitoring === 'on' && !custom.alarmTopicArn)
      this.#tell('ALARM_TOPIC_ARN is not set: alarms are raised, and nobody is told');
  }

  #judge(template: object, isPartial: boolean): void {
    const { problems, notes } = judge(template, this.#others, isPartial);
    this.#refuseLines(problems);
    for (const note of notes) this.#tell(note);
  }

  /** On stderr, once: the steps of one command see the same things. */
  #tell(line: string): void {
    if (!this.#told.has(line)) console.error(line);
    this.#told.add(line);
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
    this.#refuseLines(told);
  }

  #refuseLines(problems: string[]): void {
    if (problems.length > 0) this.#refuse(problems.join('\n'));
  }

  #refuseUnusable(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof UnusableInput) this.#refuse(error.message);
      throw error;
    }
  }

  /** Ends the command. */
  #refuse(problem: string): never {
    throw new this.#serverless.classes.Error(problem, 'LOGIN_HOOKS');
  }
}

/** What is verified of a function's environment on this machine, where no layers are. */
function environmentOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  const verified = Object.entries(settings).filter(([variable]) => !isJudged(variable));
  // What is for one's own machine alone is refused, as on Lambda.
  return { PATH: process.env.PATH, ...Object.fromEntries(verified), AWS_LAMBDA_RUNTIME_API: 'none' };
}

/** Issuers without their check are no mistake, but may be one. */
function uncheckedIssuers(service: Service): string[] {
  return loginFunctions(service).flatMap(({ name, environment }) => {
    const { issuers, check } = OF_CODE[name];
    if (environment[issuers] === undefined || environment[check] !== undefined) return [];
    return [`${name}: ${issuers} is set but ${check} is not, so nothing is checked`];
  });
}
