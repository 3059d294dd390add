/** The secrets that the functions may read. */
const { loginFunctions } = require('./functions.cjs');

const SECRET_NAME = /^[A-Za-z0-9/_+=.@-]+$/;
const SECRET_ARN = /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/;

/**
 * Leave to read the secrets that the settings of the functions list, and the one that checks callers; no other, and no
 * wildcards. Secrets Manager ends a secret's ARN with six characters of its own.
 *
 * @returns what is wrong with the settings
 */
function grantSecrets(service) {
  const listed = loginFunctions(service).flatMap(({ environment }) => idsOf(environment));
  const problems = listed.filter(({ id }) => !SECRET_ARN.test(id) && !SECRET_NAME.test(id));
  const Resource = [...new Map(listed.map(({ id }) => [id, resourceOf(id)])).values()];
  if (problems.length === 0 && Resource.length > 0) {
    const { provider } = service;
    provider.iam ??= {};
    provider.iam.role ??= {};
    provider.iam.role.statements ??= [];
    provider.iam.role.statements.push({
      Effect: 'Allow',
      Action: ['secretsmanager:GetSecretValue'],
      Resource,
    });
  }
  return problems.map(({ setting }) => `${setting}: expected names or ARNs of secrets, commas between them`);
}

function idsOf({ CALLER_CHECK, SECRET_IDS = '', SIGNING_SECRET_ID = '' }) {
  const settings = { SECRET_IDS, ...(CALLER_CHECK === 'signature' && { SIGNING_SECRET_ID }) };
  return Object.entries(settings)
    .filter(([, ids]) => typeof ids === 'string')
    .flatMap(([setting, ids]) => ids.split(',').map((id) => ({ setting, id: id.trim() })))
    .filter(({ id }) => id !== '');
}

function resourceOf(id) {
  if (SECRET_ARN.test(id)) return id;
  return {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}-??????`,
  };
}

module.exports = { grantSecrets };
