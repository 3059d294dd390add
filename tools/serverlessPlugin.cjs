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
        provider.iam = { role: { statements: secretStatements(serverless.service.custom.secretIds) } };
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

/**
 * Leave to read the secrets that the operator lists, and nothing else. Secrets Manager ends a secret's ARN with six
 * characters of its own.
 */
function secretStatements(secretIds) {
  const ids = (secretIds ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  if (ids.length === 0) return [];
  const arnOf = (id) =>
    id.startsWith('arn:')
      ? id
      : {
          'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}-??????`,
        };
  return [{ Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource: ids.map(arnOf) }];
}

/** What CloudFormation fills in is not known here. */
function texts(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string'));
}
