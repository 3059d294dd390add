/** What `serverless` must do besides: settings that are not set, rights, routes, building, verifying. */
const { execFileSync } = require('node:child_process');
const { authorizeRoutes } = require('./callers.cjs');
const { monitoringOf } = require('./monitoring.cjs');
const { secretsStatement } = require('./secrets.cjs');

module.exports = class ServerlessPlugin {
  constructor(serverless) {
    const { service, serviceDir } = serverless;
    const { provider, functions } = service;
    const refuse = (problem) => {
      throw new serverless.classes.Error(problem, 'LOGIN_HOOKS');
    };
    const npmRun = (script, env) => {
      if (!succeeds(script, serviceDir, env)) refuse(`npm run ${script} failed, see above`);
    };
    const build = () => npmRun('build', process.env);
    const buildAndVerify = () => {
      build();
      const settings = Object.assign(
        {},
        provider.environment,
        ...Object.values(functions).map((fn) => fn.environment),
      );
      npmRun('verify -- --no-dotenv', { PATH: process.env.PATH, ...texts(settings) });
    };
    const buildForThisMachine = () => {
      build();
      // Never part of a package: on Lambda it is refused.
      if (process.env.SECRETS_FILE) provider.environment.SECRETS_FILE = process.env.SECRETS_FILE;
    };
    this.hooks = {
      initialize: () => {
        leaveOutUnset(provider.environment);
        grantSecrets(service, refuse);
        const [problem] = authorizeRoutes(service);
        if (problem) refuse(problem);
        watch(service, refuse);
      },
      'before:package:initialize': buildAndVerify,
      'before:package:function:package': buildAndVerify,
      'before:offline:start': buildForThisMachine,
      'before:offline:start:init': buildForThisMachine,
    };
  }
};

/** Under the Node that the project brings along, whichever one runs `serverless`. */
function succeeds(script, cwd, env) {
  const shell = process.platform === 'win32';
  try {
    execFileSync('npm', ['run', '--silent', ...script.split(' ')], {
      cwd,
      env,
      shell,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return true;
  } catch {
    return false;
  }
}

/** `${env:NAME, null}` is null where NAME is not set, and serverless-offline would pass that on as "null". */
function leaveOutUnset(environment = {}) {
  for (const [name, value] of Object.entries(environment)) if (value === null) delete environment[name];
}

/** The secrets that handlers read, and the one that checks callers. */
function grantSecrets({ provider }, refuse) {
  const { CALLER_CHECK, SECRET_IDS, SIGNING_SECRET_ID } = provider.environment ?? {};
  try {
    const statement = secretsStatement({
      SECRET_IDS,
      SIGNING_SECRET_ID: CALLER_CHECK === 'signature' ? SIGNING_SECRET_ID : null,
    });
    if (!statement) return;
    provider.iam ??= {};
    provider.iam.role ??= {};
    provider.iam.role.statements ??= [];
    provider.iam.role.statements.push(statement);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(error.message);
  }
}

/** Metrics and alarms, where they are wanted: they cost money. */
function watch(service, refuse) {
  const { monitoring, alarmTopicArn } = service.custom;
  if (monitoring !== 'on' && monitoring !== 'off') refuse('MONITORING: expected on or off');
  if (monitoring === 'off') return;
  const resources = Object.entries(service.functions).map(([name, fn]) =>
    monitoringOf({ name, functionName: fn.name, topicArn: alarmTopicArn }),
  );
  service.resources.Resources = Object.assign({}, service.resources.Resources, ...resources);
}

/** What CloudFormation fills in is not known here. */
function texts(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string'));
}
