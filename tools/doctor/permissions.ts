/** The statements of a function's policy, and the permissions of the template that make them. */
import * as v from 'valibot';
import type { ExpectedWay } from './differences.ts';
import { type LoginFunction, patternOf, type Stack } from './stack.ts';

const OneOrMore = v.union([v.string(), v.array(v.string())]);
/** Loose: what else a statement has makes it no wider. */
const PolicySchema = v.object({
  Statement: v.optional(
    v.array(
      v.object({
        Effect: v.optional(v.string(), 'Allow'),
        Principal: v.union([v.string(), v.record(v.string(), OneOrMore)]),
        Action: OneOrMore,
        Condition: v.optional(v.record(v.string(), v.record(v.string(), v.union([OneOrMore, v.boolean()])))),
      }),
    ),
    [],
  ),
});

/** By the property of `AWS::Lambda::Permission`, the condition that Lambda makes of it. */
const CONDITIONS = {
  SourceArn: 'aws:sourcearn',
  SourceAccount: 'aws:sourceaccount',
  PrincipalOrgID: 'aws:principalorgid',
  FunctionUrlAuthType: 'lambda:functionurlauthtype',
  InvokedViaFunctionUrl: 'lambda:invokedviafunctionurl',
  EventSourceToken: 'lambda:eventsourcetoken',
};

/** Of an account, Lambda makes its root. */
const ROOT = /^arn:[\w-]+:iam::(\d{12}):root$/;

/**
 * @param policy as Lambda has it
 * @returns the keys of its permissions
 */
export function permissionsIn(policy: string): string[] {
  const { Statement } = v.parse(PolicySchema, JSON.parse(policy));
  return Statement.filter(({ Effect }) => Effect === 'Allow').map(({ Principal, Action, Condition = {} }) => {
    const principals = typeof Principal === 'string' ? [Principal] : Object.values(Principal).flat();
    const conditions = Object.values(Condition).flatMap((one) => Object.entries(one));
    const valuesOf = (name: string) =>
      conditions.filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value);
    const caller = principals.map((one) => one.replace(ROOT, '$1')).join();
    return keyOf(caller, [Action].flat().join(), (property) => valuesOf(CONDITIONS[property]).join());
  });
}

/** @param fn of which, and of whose aliases, the permissions are */
export function expectedPermissions(stack: Stack, fn: LoginFunction): ExpectedWay[] {
  const permissions = stack.ofType('AWS::Lambda::Permission');
  return permissions
    .filter(({ properties }) => stack.concerns(properties.FunctionName, fn))
    .map(({ id, properties }) => {
      const caller = stack.text(properties.Principal).replace(ROOT, '$1');
      const key = keyOf(caller, stack.text(properties.Action), (name) => stack.text(properties[name]));
      return { key: patternOf(key), text: id };
    });
}

type Property = keyof typeof CONDITIONS;
const PROPERTIES = Object.keys(CONDITIONS) as Property[];

/** E.g. `apigateway.amazonaws.com lambda:InvokeFunction SourceArn=arn:…`. */
function keyOf(caller: string, action: string, textOf: (property: Property) => string): string {
  const conditions = PROPERTIES.map((name) => [name, textOf(name)]).filter(([, value]) => value !== '');
  return [caller, action, ...conditions.map((pair) => pair.join('='))].join(' ');
}
