/** The functions of this bundle among all that a service may have, each with the settings that it gets. */
const { isLoginHandler } = require('./waysIn/code.cjs');

function loginFunctions({ provider, functions }) {
  return Object.entries(functions)
    .filter(([, { handler }]) => isLoginHandler(handler))
    .map(([name, fn]) => ({ name, fn, environment: { ...provider.environment, ...fn.environment } }));
}

module.exports = { loginFunctions };
