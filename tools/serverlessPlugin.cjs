/** What `serverless` must do besides: build first, and leave out the settings that are not set. */
const { execFileSync } = require('node:child_process');

module.exports = class ServerlessPlugin {
  constructor(serverless) {
    const build = () => buildBundle(serverless.serviceDir);
    this.hooks = {
      initialize: () => leaveOutUnset(serverless.service.provider.environment),
      'before:package:initialize': build,
      'before:package:function:package': build,
      'before:offline:start': build,
      'before:offline:start:init': build,
    };
  }
};

/** Under the Node that the project brings along, whichever one runs `serverless`. */
function buildBundle(cwd) {
  const shell = process.platform === 'win32';
  execFileSync('npm', ['run', '--silent', 'build'], { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** `${env:NAME, null}` is null where NAME is not set, and serverless-offline would pass that on as "null". */
function leaveOutUnset(environment = {}) {
  for (const [name, value] of Object.entries(environment)) if (value === null) delete environment[name];
}
