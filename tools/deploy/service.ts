/** What this plugin reads and sets of `serverless`, its service and its provider for AWS. */
import type { Values } from './waysIn/template.ts';

export interface FunctionOfService {
  handler?: unknown;
  /** In Lambda. `serverless` gives one to each function that has none. */
  name: string;
  environment?: Values;
  events?: readonly unknown[];
  /** In seconds. */
  timeout?: number;
  architecture?: string;
  /** In MiB. */
  memorySize?: number;
  versionFunction?: boolean;
  reservedConcurrency?: unknown;
  provisionedConcurrency?: unknown;
  vpc?: unknown;
  logs?: Logging;
}

/** Of a function at once, of the provider below `lambda`. */
interface Logging {
  applicationLogLevel?: string;
  lambda?: { applicationLogLevel?: string };
}

export interface Service {
  provider: {
    environment?: Values;
    timeout?: number;
    vpc?: unknown;
    httpApi?: unknown;
    logs?: Logging;
    iam?: { role?: { statements?: object[] } };
  };
  functions: Record<string, FunctionOfService>;
  custom?: {
    monitoring?: unknown;
    alarmTopicArn?: string | object | null;
    managedInstances?: Values;
    loginHooks?: { guardedElsewhere?: Values };
  };
  resources?: {
    Resources?: Record<string, unknown>;
    extensions?: Record<string, { Properties?: Values }>;
  };
}

/** While it is packaged, deployed or rolled back. */
interface ServiceOfCommand extends Service {
  provider: Service['provider'] & {
    compiledCloudFormationTemplate: object;
    coreCloudFormationTemplate?: object;
  };
  package: { artifactDirectoryName: string };
}

export interface Naming {
  getStackName(): string;
  /** E.g. `OpenidLoggedIn`. */
  getNormalizedFunctionName(name: string): string;
  /** E.g. `OpenidLoggedInLambdaFunction`. */
  getLambdaLogicalId(name: string): string;
  /** The file of a template in the bucket for deployments. */
  getCompiledTemplateS3Suffix(): string;
}

interface Provider {
  naming: Naming;
  getRegion(): string;
  getStage(): string;
  /** For a client of the AWS SDK. */
  getAwsSdkV3Config(): Promise<object>;
}

/** One of those of `serverless` itself: its steps are methods. */
export interface PluginOfServerless {
  serverless: Serverless;
  /** Of the one that rolls back. */
  bucketName?: string;
  [step: string]: unknown;
}

export interface Serverless {
  service: ServiceOfCommand;
  serviceDir: string;
  configurationFilename: string;
  /** As the file has it, with the variables that are resolved already. */
  configurationInput: Values & { useDotenv?: boolean };
  processedInput: { isHelpRequest?: boolean };
  config: { serverlessPath: string };
  classes: { Error: new (message: string, code: string) => Error };
  pluginManager: { getPlugins(): PluginOfServerless[] };
  getProvider(name: 'aws'): Provider;
  /** While plugins are made: sets a value, whose variables are resolved afterwards. */
  extendConfiguration(path: string[], value: unknown): void;
}

/** Ends the command. */
export type Refuse = (problem: string) => never;
