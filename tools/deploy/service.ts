/** What this plugin reads and sets of `serverless`, of its service, and of the login functions among all that a service may have. */
import { ALL_FUNCTION_NAMES } from '../shared/functions.ts';
import { capitalised } from '../shared/readable.ts';
import { textsOf, type Values } from './exposure/values.ts';

interface FunctionOfService {
  /** In Lambda. `serverless` gives one to each function that has none. */
  name: string;
  environment?: Values;
  events?: readonly unknown[];
  url?: unknown;
  reservedConcurrency?: unknown;
  provisionedConcurrency?: unknown;
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
    httpApi?: unknown;
    logs?: Logging;
    iam?: { role?: { statements?: object[] } };
  };
  functions: Record<string, FunctionOfService>;
  custom: { monitoring?: unknown; alarmTopicArn?: string | object | null };
  package?: { patterns?: string[] };
  resources?: { Resources?: Record<string, unknown> };
}

interface Template {
  Resources: Record<string, { Type: string; DeletionPolicy?: string; Properties?: Values }>;
}

interface Provider {
  /** The file of a template in the bucket for deployments. */
  naming: { getCompiledTemplateS3Suffix(): string };
  getStage(): string;
  /** The folder of all services in the bucket for deployments. */
  getDeploymentPrefix(): string;
  getServerlessDeploymentBucketName(): Promise<string>;
  /** For a client of the AWS SDK. */
  getAwsSdkV3Config(): Promise<object>;
}

export interface Serverless {
  /** With its name, and the templates while it is packaged, deployed or rolled back. */
  service: Service & {
    service: string;
    provider: { compiledCloudFormationTemplate: Template; coreCloudFormationTemplate?: object };
  };
  serviceDir: string;
  configurationFilename: string;
  /** As the file has it, with the variables that are resolved already. */
  configurationInput: Values & { useDotenv?: boolean };
  processedInput: { isHelpRequest?: boolean };
  config: { serverlessPath: string };
  classes: { Error: new (message: string, code: string) => Error };
  getProvider(name: 'aws'): Provider;
  /** While plugins are made: sets a value, whose variables are resolved afterwards. */
  extendConfiguration(path: string[], value: unknown): void;
}

/** With what the resources of each are called in a template, e.g. `OpenidLoggedIn`, and what of its environment is known before a deployment. */
export function loginFunctions({ provider, functions }: Service) {
  return ALL_FUNCTION_NAMES.flatMap((name) => {
    const fn = functions[name];
    if (fn === undefined) return [];
    const settings = textsOf({ ...provider.environment, ...fn.environment });
    return [{ name, id: capitalised(name), fn, settings }];
  });
}
