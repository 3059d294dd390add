/** The functions of this bundle among all that a service may have, each with the settings that it gets. */
const { basename } = require('node:path');
const { environmentProblems, JUDGED_VARIABLES } = require('../../lib/environment.ts');
const { SETTING_NAMES } = require('../../lib/settings.ts');
const { misspelling } = require('../shared/settingNames.ts');
const { isLoginHandler } = require('./waysIn/functions.ts');

/**
 * @returns for each its `name` in the service, the `code` that it runs (`samlLoggedIn`), its `environment`, and the texts in
 *   it: `settings`
 */
function loginFunctions({ provider, functions }) {
  return Object.entries(functions)
    .filter(([, { handler }]) => isLoginHandler(handler))
    .map(([name, fn]) => {
      const environment = asOnLambda({ ...provider.environment, ...fn.environment });
      return {
        name,
        fn,
        code: basename(fn.handler, '.handler'),
        environment,
        settings: textsOf(environment),
      };
    });
}

/**
 * Lambda makes texts of numbers and booleans. `serverless` does so with its own configuration, and not with what a plugin
 * adds. What else is not a text is left for CloudFormation to fill in.
 */
function asOnLambda(environment) {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    ['number', 'boolean'].includes(typeof value) ? String(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** What CloudFormation fills in is not known here. */
function textsOf(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => typeof value === 'string'));
}

/** @returns what is wrong with the environment of each function, whatever the values of its settings */
function problemsOfEnvironments(service) {
  return loginFunctions(service).flatMap(({ name, environment, settings }) =>
    [
      ...[...SETTING_NAMES, ...JUDGED_VARIABLES]
        .filter((variable) => typeof (environment[variable] ?? '') !== 'string')
        .map((variable) => `${variable}: ${EXPECTED_TEXT}`),
      ...environmentProblems(settings).map(([variable, expected]) => `${variable}: ${expected}`),
      ...Object.keys(environment).flatMap((variable) => misspelling(variable) ?? []),
    ].map((problem) => `${name}: ${problem}`),
  );
}

const EXPECTED_TEXT =
  'expected a text, because what CloudFormation fills in cannot be verified before a deployment; ' +
  'what serverless fills in, by cf: or ssm:, can';

module.exports = { loginFunctions, problemsOfEnvironments };
