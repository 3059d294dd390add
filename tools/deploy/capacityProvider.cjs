/** What a deployment asks before functions move to, from or onto a capacity provider: Lambda refuses some of it halfway. */
const { awsFailure } = require('../shared/awsFailures.ts');

/**
 * Lambda takes no capacity provider away from a function, and gives none to one that exists.
 *
 * @param deployed the template of the stack
 * @param next the template that is about to take its place
 * @returns {string[]} a sentence for each function that would have to change sides
 */
function problemsOfSides(deployed, next) {
  const before = new Map(functionsOf(deployed).map(({ name, isManaged }) => [name, isManaged]));
  return functionsOf(next)
    .filter(({ name, isManaged }) => before.has(name) && before.get(name) !== isManaged)
    .map(
      ({ id, name, isManaged }) =>
        `${id}: ${name} is deployed ${isManaged ? 'without' : 'with'} a capacity provider, which Lambda cannot change: give it another name`,
    );
}

/**
 * Compares functions with the capacity providers that they name.
 *
 * @param template that is about to be deployed
 * @param {(arn: string) => Promise<{ State?: string, InstanceRequirements?: { Architectures?: string[] } }>} ask
 *   Lambda's GetCapacityProvider
 * @returns {Promise<{ problems: string[], notes: string[] }>} what does not fit; and what could not be asked, which is left
 *   to CloudFormation
 */
async function problemsOfProviders(template, ask) {
  const functions = functionsOf(template).filter(({ provider }) => typeof provider === 'string');
  const arns = [...new Set(functions.map(({ provider }) => provider))];
  const compared = arns.map(async (arn) => {
    try {
      const using = functions.filter(({ provider }) => provider === arn);
      return { problems: misfits(arn, await ask(arn), using), notes: [] };
    } catch (error) {
      return unanswered(arn, error);
    }
  });
  const all = await Promise.all(compared);
  return { problems: all.flatMap(({ problems }) => problems), notes: all.flatMap(({ notes }) => notes) };
}

function misfits(arn, { State, InstanceRequirements }, functions) {
  const [architecture] = InstanceRequirements?.Architectures ?? [];
  const others = functions.filter((one) => architecture !== undefined && one.architecture !== architecture);
  return [
    ...(State === undefined || State === 'Active' ? [] : [`${arn} is ${State}: expected Active`]),
    ...others.map(
      (one) =>
        `${one.id} is for ${one.architecture}, and the instances of ${arn} are ${architecture}: set CAPACITY_ARCHITECTURE=${architecture}`,
    ),
  ];
}

function unanswered(arn, error) {
  if (error.name === 'ResourceNotFoundException') {
    return { problems: [`${arn} is not there: expected a capacity provider of this account`], notes: [] };
  }
  const cause = awsFailure(error) ?? `${error.name}: allow lambda:GetCapacityProvider`;
  return { problems: [], notes: [`${arn} is not compared with the functions: ${cause}`] };
}

/** The functions of a template, each by the name that tells it from others in Lambda. */
function functionsOf(template) {
  return Object.entries(template.Resources ?? {})
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id, { Properties = {} }]) => ({
      id,
      name: nameOf(Properties.FunctionName ?? id),
      isManaged: Properties.CapacityProviderConfig !== undefined,
      provider: providerOf(Properties),
      architecture: Properties.Architectures?.[0] ?? 'x86_64',
    }));
}

/** A name that CloudFormation fills in is the same where it is filled in alike. */
function nameOf(name) {
  return typeof name === 'string' ? name : JSON.stringify(name);
}

function providerOf({ CapacityProviderConfig }) {
  return CapacityProviderConfig?.LambdaManagedInstancesCapacityProviderConfig?.CapacityProviderArn;
}

module.exports = { problemsOfProviders, problemsOfSides, providerOf };
