/** What this project adds to `serverless`: unset settings, rights, ways in, building, verifying. */
const { execFileSync } = require('node:child_process');
const { authorizeRoutes } = require('./callers.cjs');
const { deploymentProblems } = require('./deployment.cjs');
const { loginFunctions } = require('./functions.cjs');
const { watch } = require('./monitoring.cjs');
const { answerNoOrigin } = require('./sameOrigin.cjs');
const { grantSecrets } = require('./secrets.cjs');
const { judgeUploads } = require('./uploads.cjs');

module.exports = class ServerlessPlugin {
  constructor(serverless) {
    const { service, serviceDir } = serverless;
    const refuse = (problem) => {
      throw new serverless.classes.Error(problem, 'LOGIN_HOOKS');
    };
    const npmRun = (script, env) => {
      if (!succeeds(script, serviceDir, env)) refuse(`npm run ${script} failed, see above`);
    };
    const build = () => npmRun('build', process.env);
    const buildAndVerify = () => {
      build();
      for (const settings of environments(service)) {
        npmRun('verify -- --no-dotenv', { PATH: process.env.PATH, ...settings });
      }
    };
    const buildForThisMachine = () => {
      build();
      answerNoOrigin();
      // Never part of a package: on Lambda it is refused.
      if (process.env.SECRETS_FILE) service.provider.environment.SECRETS_FILE = process.env.SECRETS_FILE;
    };
    this.hooks = {
      initialize: () => {
        for (const { environment } of [service.provider, ...Object.values(service.functions)]) {
          leaveOutUnset(environment);
        }
        const naming = serverless.getProvider('aws').naming;
        authorizeRoutes(service);
        judgeUploads(serverless, refuse);
        const problems = [
          ...grantSecrets(service),
          ...deploymentProblems(service),
          ...watch(service, naming),
        ];
        if (problems.length > 0) refuse(problems.join('\n'));
        for (const warning of uncheckedIssuers(service)) console.error(warning);
      },
      'before:package:initialize': buildAndVerify,
      // It changes a function's settings and leaves its routes: what guards them could be gone.
      'before:deploy:function:initialize': () =>
        refuse('expected serverless deploy: a function alone would be changed without its routes'),
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

/** The settings of each function, once where they are the same. What CloudFormation fills in is not known here. */
function environments(service) {
  const texts = loginFunctions(service).map(({ environment }) =>
    JSON.stringify(Object.entries(environment).filter(([, value]) => typeof value === 'string')),
  );
  return [...new Set(texts)].map((text) => Object.fromEntries(JSON.parse(text)));
}

const CHECKS = { OPENID_ISSUERS: 'OPENID_TOKEN_CHECK', SAML_ISSUERS: 'SAML_ASSERTION_CHECK' };

/** Issuers without their check are no mistake, but may be one. */
function uncheckedIssuers(service) {
  return loginFunctions(service).flatMap(({ name, environment }) =>
    Object.entries(CHECKS)
      .filter(([issuers, check]) => environment[issuers] !== undefined && environment[check] === undefined)
      .map(([issuers, check]) => `${name}: ${issuers} is set, and ${check} is not: nothing is checked`),
  );
}
