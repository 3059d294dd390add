/** The secrets that the functions may read. */

const SECRET_NAME = /^[A-Za-z0-9/_+=.@-]+$/;
const SECRET_ARN = /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/;

/**
 * Leave to read the secrets that the operator lists, and no other: no wildcards. Secrets Manager ends a secret's ARN
 * with six characters of its own.
 *
 * @param settings by name, each with names or ARNs of secrets, commas between them; or nothing
 * @returns the IAM statement; null where there is nothing to read
 * @throws {RangeError}
 */
function secretsStatement(settings) {
  const resources = Object.entries(settings).flatMap(([setting, ids]) => {
    const listed = (ids ?? '').split(',').map((id) => id.trim());
    return listed.filter(Boolean).map((id) => resourceOf(id, setting));
  });
  if (resources.length === 0) return null;
  const unique = new Map(resources.map((resource) => [JSON.stringify(resource), resource]));
  return { Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource: [...unique.values()] };
}

function resourceOf(id, setting) {
  if (SECRET_ARN.test(id)) return id;
  if (!SECRET_NAME.test(id)) {
    throw new RangeError(`${setting}: expected names or ARNs of secrets, commas between them`);
  }
  return {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${id}-??????`,
  };
}

module.exports = { secretsStatement };
