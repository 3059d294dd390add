/** What `serverless` must do besides: leave out the settings that are not set, build, and verify. */
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
    this.hooks = {
      initialize: () => leaveOutUnset(provider.environment),
      'before:package:initialize': buildAndVerify,
      'before:package:function:package': buildAndVerify,
      'before:offline:start': build,
      'before:offline:start:init': build,
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

/** What CloudFormation fills in is not known here. */
function texts(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string'));
}
