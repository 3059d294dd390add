/** What a deployment asks before functions move to, from or onto a capacity provider: Lambda refuses some of it halfway. */
import { awsFailure } from '../shared/awsFailures.ts';
import { mapOf, resourcesOf, type Values } from './waysIn/template.ts';

/** What Lambda's GetCapacityProvider says of one. */
interface CapacityProvider {
  State?: string | undefined;
  InstanceRequirements?: { Architectures?: string[] | undefined } | undefined;
}

interface ManagedFunction {
  id: string;
  name: string;
  isManaged: boolean;
  provider: unknown;
  architecture: unknown;
}

/** `notes`: what could not be asked, which is left to CloudFormation. */
interface Comparison {
  problems: string[];
  notes: string[];
}

/**
 * Lambda takes no capacity provider away from a function, and gives none to one that exists.
 *
 * @param deployed the template of the stack
 * @param next the template that is about to take its place
 * @returns a sentence for each function that would have to change sides
 */
export function problemsOfSides(deployed: object, next: object): string[] {
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
 * @param ask by the ARN of a capacity provider
 */
export async function problemsOfProviders(
  template: object,
  ask: (arn: string) => Promise<CapacityProvider>,
): Promise<Comparison> {
  const functions = functionsOf(template);
  const arns = new Set(functions.map(({ provider }) => provider).filter((arn) => typeof arn === 'string'));
  const compared = Array.from(arns, async (arn): Promise<Comparison> => {
    try {
      const using = functions.filter(({ provider }) => provider === arn);
      return { problems: misfits(arn, await ask(arn), using), notes: [] };
    } catch (error) {
      return unanswered(arn, error as Error);
    }
  });
  const all = await Promise.all(compared);
  return { problems: all.flatMap(({ problems }) => problems), notes: all.flatMap(({ notes }) => notes) };
}

function misfits(
  arn: string,
  { State, InstanceRequirements }: CapacityProvider,
  functions: ManagedFunction[],
): string[] {
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

function unanswered(arn: string, error: Error): Comparison {
  if (error.name === 'ResourceNotFoundException') {
    return { problems: [`${arn} does not exist: expected a capacity provider of this account`], notes: [] };
  }
  const cause = awsFailure(error) ?? `${error.name}: allow lambda:GetCapacityProvider`;
  return { problems: [], notes: [`${arn} is not compared with the functions: ${cause}`] };
}

/** The functions of a template, each by the name that tells it from others in Lambda. */
function functionsOf(template: object): ManagedFunction[] {
  return [...resourcesOf(mapOf(template))]
    .filter(([, { type }]) => type === 'AWS::Lambda::Function')
    .map(([id, { properties }]) => ({
      id,
      name: nameOf(properties.FunctionName ?? id),
      isManaged: properties.CapacityProviderConfig !== undefined,
      provider: providerOf(properties),
      architecture: architectureOf(properties),
    }));
}

/** Lambda's own where none is written out. */
function architectureOf({ Architectures }: Values): unknown {
  return (Array.isArray(Architectures) ? Architectures[0] : null) ?? 'x86_64';
}

/** A name that CloudFormation fills in is the same where it is filled in alike. */
function nameOf(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}

export function providerOf({ CapacityProviderConfig }: Values): unknown {
  return mapOf(mapOf(CapacityProviderConfig).LambdaManagedInstancesCapacityProviderConfig)
    .CapacityProviderArn;
}
