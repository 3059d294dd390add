/** Who calls over HTTP is checked once: by the routes, or by the functions. */
const { loginFunctions } = require('./functions.ts');

/** Takes IAM off the routes of the functions that check the caller's signature themselves, and no other's. */
function authorizeRoutes(service) {
  const signed = loginFunctions(service).filter(
    ({ environment }) => environment.CALLER_CHECK === 'signature',
  );
  for (const { httpApi } of signed.flatMap(({ fn }) => fn.events ?? [])) {
    if (httpApi?.authorizer?.type === 'aws_iam') delete httpApi.authorizer;
  }
}

module.exports = { authorizeRoutes };
