/** The rights of a role: what its policies say, and whether they say it plainly. */
const { occurrences } = require('./names.cjs');
const { statementsOf } = require('./principals.cjs');
const { PLACEHOLDER, isHidden, isLiteral, isMap, textOf } = require('./text.cjs');

const WILDCARD = /[*?]/;
/** Rights to call an API or to become another identity may lead to a function that they do not name. */
const LEADS_ON = /^(execute-api|sts|iam):/i;

/** What gives rights to a role from outside it: by a reference, by its name, or by what may become its name. */
function policiesFor(roleId, { RoleName }, template) {
  const name = textOf(RoleName, template);
  const isFor = ({ Roles, RoleName: one }) => {
    const roles = textOf([Roles, one], template);
    const isReadable = !isHidden(roles) && !isHidden(name);
    return roles.includes(`\${${roleId}}`) || !isReadable || occurrences(roles, name, true).length > 0;
  };
  return Object.values(template.Resources)
    .filter(({ Type }) => /^AWS::IAM::(Role|Managed)?Policy$/.test(Type))
    .map(({ Properties = {} }) => Properties)
    .filter(isFor)
    .map(({ PolicyDocument }) => PolicyDocument);
}

/** Whether each right of a role names its actions and its resources, without wildcards. */
function areWrittenOut(roleId, role, template) {
  const { Policies = [], ManagedPolicyArns = [] } = role;
  const inline = [Policies].flat().map((policy) => (isMap(policy) ? policy.PolicyDocument : undefined));
  const managed = [ManagedPolicyArns].flat().map((arn) => managedPolicy(arn, template));
  return [...inline, ...managed, ...policiesFor(roleId, role, template)]
    .flatMap(statementsOf)
    .every((statement) => isPlain(statement, template));
}

function managedPolicy(arn, template) {
  const [, id] = /^\$\{(\w+)\}$/.exec(textOf(arn, template)) ?? [];
  const { Type, Properties } = template.Resources[id] ?? {};
  return Type === 'AWS::IAM::ManagedPolicy' ? Properties.PolicyDocument : undefined;
}

function isPlain(statement, template) {
  if (!isMap(statement)) return false;
  const { Effect, Action, Resource } = statement;
  if (Effect === 'Deny') return true;
  const areActionsPlain = [Action]
    .flat()
    .every((action) => isLiteral(action) && !WILDCARD.test(action) && !LEADS_ON.test(action));
  return areActionsPlain && Resource !== undefined && isPlainText(textOf(Resource, template), template);
}

/** Without wildcards, and without variables that IAM fills in for each request. */
function isPlainText(text, { Resources }) {
  if (WILDCARD.test(text) || isHidden(text)) return false;
  return [...text.matchAll(PLACEHOLDER)].every(
    ([, path]) => path.startsWith('AWS::') || Object.hasOwn(Resources, path.split('.')[0]),
  );
}

module.exports = { areWrittenOut, policiesFor };
