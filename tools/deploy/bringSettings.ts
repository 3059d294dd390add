/** Brings the settings of a stage to where the functions, `serverless` and this plugin read them. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readSetting } from '../../lib/readSettings.ts';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { type Configuration, handlerSettings } from '../shared/configuration.ts';
import { concurrencyProblems, DEPLOYMENT, type DeploymentSetting } from '../shared/deployment.ts';
import { CERTIFICATES, type StageSettings } from '../shared/dotenv.ts';
import { handlerVariable, kindOf } from '../shared/functions.ts';
import { LOCAL_SETTING } from '../shared/settingNames.ts';
import { isMap, type Values } from './exposure/values.ts';
import { loginFunctions, type Serverless, type Service } from './service.ts';

interface Deployed {
  /** With what `serverless` has added of the file: read twice, an escaped `$` would be another value. */
  env: NodeJS.ProcessEnv;
  configuration: Configuration;
  folder: string;
  stage: string;
}

/**
 * What the configuration itself has stays. A variable that it sets to nothing, as `${env:NAME, null}` does, is left out.
 *
 * @returns `problems`: what is wrong with the settings of the deployment, e.g. `MONITORING: expected on or off`; `notes`: which
 *   handlers are others than the configuration says; `routes`: what limits the requests to an HTTP API
 */
export function bringSettings(
  service: Service,
  { certificates, sourceOf }: StageSettings,
  { env, configuration, folder, stage }: Deployed,
) {
  const given = SETTING_NAMES.filter((name) => name !== LOCAL_SETTING && env[name] !== undefined);
  service.provider.environment = {
    ...handlerSettings(configuration),
    ...Object.fromEntries(given.map((name) => [name, env[name]])),
    // Those of the machine that deploys are for its own network.
    ...(certificates !== undefined && { [CERTIFICATES]: certificates }),
    ...service.provider.environment,
  };
  // A function's own would take the place of what is brought, such as its handler; `serverless` leaves it out afterwards.
  for (const { environment = {} } of [service.provider, ...Object.values(service.functions)]) {
    for (const [name, value] of Object.entries(environment)) if (value === null) delete environment[name];
  }
  const notes = loginFunctions(service).flatMap(({ name }) => {
    const variable = handlerVariable(name);
    const module = configuration.handlers[kindOf(name)]?.module;
    const other = env[variable];
    if (module === undefined || other === undefined || other === module) return [];
    return [
      `${name}: ${sourceOf(variable, other)}: ${other} takes the place of ${module} in ${configuration.file}`,
    ];
  });
  const routes: Values = {};
  const holders = {
    custom: [service.custom],
    provider: [service.provider],
    functions: loginFunctions(service).map(({ fn }) => fn),
    routes: [routes],
  };
  const unset = stage === 'dev' || stage === 'prod' ? stage : 'others';
  const problems = DEPLOYMENT.flatMap((row) =>
    holders[row.place[0]].flatMap((holder) => bring(row, holder, env[row.variable] ?? row.unset?.[unset])),
  );
  for (const { reservedConcurrency, provisionedConcurrency } of holders.functions)
    problems.push(...concurrencyProblems(reservedConcurrency, provisionedConcurrency));
  return { problems: [...new Set([...problems, ...packageCertificates(service, folder)])], notes, routes };
}

/** @returns what is wrong with the value, from wherever it is */
function bring(
  { variable, place: [, key], schema, mustBeKnown = false }: DeploymentSetting,
  holder: object,
  given: string | undefined,
): string[] {
  const value = Reflect.get(holder, key) ?? given;
  if (value === undefined || (!mustBeKnown && typeof value === 'object')) return [];
  const { problems, value: read } = readSetting(variable, schema, String(value));
  if (problems.length === 0) Reflect.set(holder, key, read);
  return problems;
}

/** Limits the requests to an HTTP API that `serverless` made, where the configuration itself does not. */
export function limitRoutes({ provider }: Serverless['service'], routes: Values): void {
  const { Properties = {} } = provider.compiledCloudFormationTemplate.Resources.HttpApiStage ?? {};
  const { DefaultRouteSettings: own } = Properties;
  if (isMap(own)) Properties.DefaultRouteSettings = { ...routes, ...own };
}

/** Where Lambda unpacks a package. */
const TASK_ROOT = '/var/task';

/** Node only warns of certificates that are not there, and each look-up fails: what a setting names is packaged too. */
function packageCertificates(service: Service, folder: string): string[] {
  return loginFunctions(service).flatMap(({ settings: { [CERTIFICATES]: file } }) => {
    if (!file || file.startsWith('/opt/')) return [];
    const path = posix.relative(TASK_ROOT, posix.resolve(TASK_ROOT, file));
    if (path.startsWith('..') || !existsSync(join(folder, path)))
      return [`${CERTIFICATES}: expected a file below the folder of the project, or of a layer below /opt/`];
    service.package?.patterns?.push(path);
    return [];
  });
}
