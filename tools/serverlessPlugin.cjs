/** What `serverless` must do besides: settings that are not set, rights to secrets, building, verifying. */
const { execFileSync } = require('node:child_process');

module.exports = class ServerlessPlugin {
  constructor(serverless) {
    const { provider, functions } = serverless.service;
    const npmRun = (script, env) => {
      if (!succeeds(script, serverless.serviceDir, env)) {
        throw new serverless.classes.Error(`npm run ${script} failed, see above`, 'NPM_RUN_FAILED');
      }
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
        grantSecrets(provider, serverless.service.custom.secretIds, serverless.classes.Error);
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

const SECRET_NAME = /^[A-Za-z0-9/_+=.@-]+$/;
const SECRET_ARN = /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/;

/**
 * Leave to read the secrets that the operator lists, and no other: no wildcards. Secrets Manager ends a secret's ARN
 * with six characters of its own.
 */
function grantSecrets(provider, secretIds, ServerlessError) {
  const ids = (secretIds ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  if (ids.length === 0) return;
  const Resource = ids.map((id) => {
    if (SECRET_ARN.test(id)) return id;
    if (!SECRET_NAME.test(id)) {
      throw new ServerlessError(
        'SECRET_IDS: expected names or ARNs of secrets, commas between them',
        'SECRET_IDS',
      );
    }
    const arn = `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}-??????`;
    return { 'Fn::Sub': arn };
  });
  provider.iam ??= {};
  provider.iam.role ??= {};
  provider.iam.role.statements ??= [];
  provider.iam.role.statements.push({ Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource });
}

/** What CloudFormation fills in is not known here. */
function texts(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string'));
}
