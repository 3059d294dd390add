/** What this project adds to `serverless`: functions, settings, rights, alarms, building, verifying, and judging what is deployed. */
import { join } from 'node:path';
import { isJudged } from '../../lib/forbiddenVariables.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Configuration, loginHooksIn, readConfiguration } from '../shared/configuration.ts';
import { readSettings, type StageSettings } from '../shared/dotenv.ts';
import { terminalText } from '../shared/terminal.ts';
import { bringSettings, limitRoutes } from './bringSettings.ts';
import { bringFunctions } from './broughtFunctions.ts';
import { judge } from './exposure/judge.ts';
import type { Others } from './exposure/stack.ts';
import type { Values } from './exposure/values.ts';
import { watch } from './monitoring.ts';
import { authorizeRoutes, grantSecrets, guardLogs } from './rights.ts';
import { earlierTemplate } from './rollback.ts';
import { loginFunctions, type Serverless } from './service.ts';

/** Before something is written, uploaded or changed: another plugin, or a hand, may have edited the template since. */
const JUDGED_AT = [
  'before:aws:package:finalize:saveServiceState',
  'after:package:finalize',
  'before:aws:deploy:deploy:createStack',
  'before:aws:deploy:deploy:uploadArtifacts',
  'before:aws:deploy:deploy:updateStack',
];

export class ServerlessPlugin {
  readonly hooks = {
    initialize: () => this.#prepare(),
    'before:package:initialize': () => this.#buildAndVerify(),
    'after:package:setupProviderConfiguration': () => guardLogs(this.#serverless.service, this.#stage),
    // Only now the template has what `resources` of the configuration add to it.
    'after:aws:package:finalize:mergeCustomProviderResources': () =>
      limitRoutes(this.#serverless.service, this.#routes),
    ...Object.fromEntries(JUDGED_AT.map((moment) => [moment, () => this.#judgeTemplates()])),
    'before:rollback:rollback': async () => {
      const { timestamp } = this.#options;
      // What an earlier deployment had may have needed no name.
      if (timestamp) this.#judge(await earlierTemplate(this.#serverless, timestamp), true);
    },
    // They have no template, so nobody sees what they open.
    'before:deploy:function:initialize': () =>
      this.#refuse(['expected serverless deploy: this has no template']),
    'before:rollback:function:rollback': () =>
      this.#refuse(['expected serverless rollback: this has no template']),
    // It loads CommonJS only.
    'before:invoke:local:loadEnvVars': () =>
      this.#refuse(['expected npx login-hooks login <openid|saml> <event.json>: this loads no ES module']),
    // After all else. On stderr, because stdout is for what a command of `serverless` answers.
    finalize: () => process.stderr.write(this.#inForce),
  };
  readonly #serverless: Serverless;
  readonly #options: { timestamp?: string };
  /** Where more than help is asked for: as the file has it, because all other commands read it there. */
  #configuration!: Configuration;
  #settings!: StageSettings;
  #others: Others = {};
  #routes: Values = {};
  readonly #told = new Set<string>();
  /** A line for each function. */
  #inForce = '';

  constructor(serverless: Serverless, options: { timestamp?: string }) {
    this.#serverless = serverless;
    this.#options = options;
    // For help, only the plugins are read.
    if (serverless.processedInput.isHelpRequest) return;
    const { serviceDir, configurationFilename } = serverless;
    this.#usable(() => {
      this.#configuration = readConfiguration(join(serviceDir, configurationFilename));
      bringFunctions(serverless, this.#configuration);
    });
  }

  /** Changes the service, which `serverless` has read and made a template of afterwards. */
  #prepare(): void {
    const { service, serviceDir: folder, configurationInput } = this.#serverless;
    const configuration = this.#configuration;
    const deployed = { env: process.env, configuration, folder, stage: this.#stage };
    this.#settings = readSettings({ ...deployed, hasDotenv: configurationInput.useDotenv === true });
    // Now without variables. Read once: `deploy --package` replaces the configuration by that of the package.
    this.#others = this.#usable(() => loginHooksIn({ custom: service.custom }, configuration.file)).others;
    const brought = bringSettings(service, this.#settings, deployed);
    this.#routes = brought.routes;
    const unreached = authorizeRoutes(service);
    grantSecrets(service);
    const watched = watch(service);
    this.#refuseSettings([...brought.problems, ...unreached, ...watched.problems]);
    this.#tell([...brought.notes, ...watched.notes]);
  }

  async #buildAndVerify(): Promise<void> {
    const { problems, notes, sourceOf } = this.#settings;
    this.#refuse(problems);
    this.#tell(notes);
    // Loaded for this only: they bring esbuild.
    const { prepareBundle, projectEntries } = await import('../bundle/build.ts');
    const { verifyFunction } = await import('./verify.ts');
    const { CODE_VERSION, codeVersion } = await import('./codeVersion.ts');
    const functions = loginFunctions(this.#serverless.service);
    const entries = projectEntries(functions.map(({ name }) => name));
    await prepareBundle({ entries }).catch(({ message }: Error) => this.#refuse([terminalText(message)]));
    const version = await codeVersion();
    const found: string[] = [];
    for (const { name, fn, settings } of functions) {
      fn.environment = { ...fn.environment, [CODE_VERSION]: version };
      const env = environmentOf(settings);
      const sourceOfOwn = (setting: string) => sourceOf(setting, env[setting]);
      const verified = await verifyFunction({ name, env, sourceOf: sourceOfOwn });
      this.#inForce += verified.notes.map((line) => `${terminalText(line)}\n`).join('');
      found.push(...verified.problems.map(terminalText));
    }
    this.#refuse(found);
  }

  /** With `deploy --package`, the templates in memory are those of the package. */
  #judgeTemplates(): void {
    const { compiledCloudFormationTemplate, coreCloudFormationTemplate = {} } =
      this.#serverless.service.provider;
    this.#judge(coreCloudFormationTemplate, true);
    this.#judge(compiledCloudFormationTemplate, false);
  }

  #judge(template: object, isPartial: boolean): void {
    const { problems, notes } = judge(template, this.#others, isPartial);
    this.#refuse(problems);
    this.#tell(notes);
  }

  get #stage(): string {
    return this.#serverless.getProvider('aws').getStage();
  }

  /** On stderr, each once: the steps of one command see the same things. */
  #tell(lines: readonly string[]): void {
    for (const line of lines) {
      if (!this.#told.has(line)) console.error(line);
      this.#told.add(line);
    }
  }

  /** @param problems each begins with its setting */
  #refuseSettings(problems: readonly string[]): void {
    const { env, sourceOf } = this.#settings;
    const told = problems.map((problem) => {
      const name = /^\w+/.exec(problem)?.[0] ?? '';
      const value = env[name];
      return `${value === undefined ? this.#configuration.file : sourceOf(name, value)}: ${problem}`;
    });
    this.#refuse(told);
  }

  #usable<TResult>(read: () => TResult): TResult {
    try {
      return read();
    } catch (error) {
      if (error instanceof UnusableInput) this.#refuse([error.message]);
      throw error;
    }
  }

  /** Ends the command, where there are any problems. */
  #refuse(problems: readonly string[]): void {
    if (problems.length > 0) throw new this.#serverless.classes.Error(problems.join('\n'), 'LOGIN_HOOKS');
  }
}

/** What is verified of a function's environment on this machine, where no layers are. */
function environmentOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  const verified = Object.entries(settings).filter(([variable]) => !isJudged(variable));
  // What is for one's own machine only is refused, as on Lambda.
  return { PATH: process.env.PATH, ...Object.fromEntries(verified), AWS_LAMBDA_RUNTIME_API: 'none' };
}
