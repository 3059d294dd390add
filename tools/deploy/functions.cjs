/** The functions of this bundle among all that a service may have, each with the settings that it gets. */
const { basename } = require('node:path');
const { SETTINGS, misspellings } = require('./settingNames.cjs');
const { isLoginHandler } = require('./waysIn/functions.ts');

/** @returns for each its `name` in the service, the `code` that it runs (`samlLoggedIn`), and its `environment` */
function loginFunctions({ provider, functions }) {
  return Object.entries(functions)
    .filter(([, { handler }]) => isLoginHandler(handler))
    .map(([name, fn]) => ({
      name,
      fn,
      code: basename(fn.handler, '.handler'),
      environment: asOnLambda({ ...provider.environment, ...fn.environment }),
    }));
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

/** @returns what is wrong with the settings of each function, whatever their values */
function settingProblems(service) {
  return loginFunctions(service).flatMap(({ name, environment }) => [
    ...SETTINGS.filter((setting) => typeof (environment[setting] ?? '') !== 'string').map(
      (setting) => `${name}: ${setting}: ${EXPECTED_TEXT}`,
    ),
    ...misspellings(Object.keys(environment), SETTINGS).map(
      (wrong) => `${name}: ${wrong.name} is not a setting, the nearest is ${wrong.nearest}`,
    ),
  ]);
}

const EXPECTED_TEXT =
  'expected a text, because what CloudFormation fills in cannot be verified before a deployment; ' +
  'what serverless fills in, by cf: or ssm:, can';

module.exports = { loginFunctions, settingProblems };
