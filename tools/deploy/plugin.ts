/** What this project adds to `serverless`: checks of settings, rights and ways in, building, verifying. */
import { JUDGED_VARIABLES } from '../../lib/environment.ts';
import { deploymentProblems, problemsOfService } from '../shared/deployment.ts';
import { checkSettingNames, notesOfUnpassed, type SettingFiles, sourceOf } from '../shared/dotenv.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import { terminalText } from '../shared/terminal.ts';
import { authorizeRoutes } from './callers.ts';
import { loginFunctions, problemsOfEnvironments } from './functions.ts';
import { useManagedInstances } from './managedInstances.ts';
import { watch } from './monitoring.ts';
import { grantSecrets } from './secrets.ts';
import type { Refuse, Serverless, Service } from './service.ts';
import { judgeUploads } from './uploads.ts';
import type { Values } from './waysIn/template.ts';

const ACCEPT_WEAKER = {
  'accept-weaker': { usage: 'Let this deployment take a protection away', type: 'boolean' },
};

interface CliOptions {
  'accept-weaker'?: boolean;
}

export class ServerlessPlugin {
  readonly commands: object;
  readonly hooks: Readonly<Record<string, () => unknown>>;
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
    const inForce: string[] = [];
    const buildAndVerify = async () => {
      checkNames();
      for (const note of notesOfUnpassed(files())) console.error(note);
      // Loaded for this alone: they bring esbuild.
      const { prepareBundle } = await import('../bundle/prepareBundle.ts');
      const { verifyFunction } = await import('./verify.ts');
      await prepareBundle().catch(({ message }: Error) => refuse(terminalText(message)));
      const found: string[] = [];
      for (const fn of verifiableFunctions(service)) {
        const { env } = fn;
        const sourceOfOwn = (name: string) => sourceOf(name, env[name], files());
        const { notes, problems } = await verifyFunction({ ...fn, sourceOf: sourceOfOwn });
        inForce.push(...notes.map(terminalText));
        found.push(...problems.map(terminalText));
      }
      refuseAny(found);
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
      finalize: () => process.stderr.write(inForce.map((line) => `${line}\n`).join('')),
      // It changes a function's settings and leaves its routes: what guards them could be gone.
      'before:deploy:function:initialize': () =>
        refuse('expected serverless deploy: a function alone would be changed without its routes'),
    };
  }
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
  return loginFunctions(service).flatMap(({ name, environment }) =>
    Object.values(OF_CODE)
      .filter(({ issuers, check }) => environment[issuers] !== undefined && environment[check] === undefined)
      .map(({ issuers, check }) => `${name}: ${issuers} is set, and ${check} is not: nothing is checked`),
  );
}
