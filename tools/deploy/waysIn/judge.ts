/** Judges a finished CloudFormation template by the types of its resources: what is not known to be guarded is refused. */
import { calleeOf, type Functions, functionsOf, isAliasOfNow, isPublishedNow, OURS } from './functions.ts';
import { formOfPermission, formsOfResourcePolicy } from './permissions.ts';
import { callsOf, isInert } from './places.ts';
import { formsOfPolicy, formsOfRole, roleMayInvoke, rolesElsewhere } from './rights.ts';
import {
  isStale,
  type Way,
  waysOfApi,
  waysOfAuthorizer,
  waysOfListener,
  waysOfMethod,
  waysOfRoute,
  waysOfUrl,
} from './routes.ts';
import { CALLERS, FORMS, type FormName, type FormOfWayIn } from './table.ts';
import { isMap, isRewritten, mapOf, type Resource, referredTo, resourcesOf } from './template.ts';

interface Problem {
  /** The logical id of a resource, or the name of a section. */
  id: string;
  form: FormName;
  text: string;
}
export interface Judgement {
  problems: Problem[];
  /** What `guardedElsewhere` exempts. */
  guarded: { id: string; reason: unknown }[];
  /** What is told at each deployment, and not refused. */
  notes: string[];
}

type Judge = (resource: Resource, functions: Functions, id: string) => Way[];

const ways = (waysOf: (properties: Resource['properties'], functions: Functions) => Way[]): Judge => {
  return ({ properties }, functions) => waysOf(properties, functions);
};
const refusing = (forms: readonly FormName[]): Way[] => forms.map((form) => ({ form, callee: OURS }));
const judgeStale: Judge = ({ type, properties }, { resources }, id) =>
  refusing(isStale(type, id, properties, resources) ? ['deployment'] : []);
const judgePolicy: Judge = (policy, functions) => refusing(formsOfPolicy(policy, functions));

const FUNCTION = 'AWS::Lambda::Function';
/** `serverless` keeps versions: what calls one is judged. */
const PUBLISHED = 'AWS::Lambda::Version';

const JUDGES: Readonly<Record<string, Judge>> = {
  'AWS::ApiGateway::Authorizer': ways(waysOfAuthorizer),
  'AWS::ApiGateway::Deployment': judgeStale,
  'AWS::ApiGateway::Method': ways(waysOfMethod),
  'AWS::ApiGateway::RestApi': ways(waysOfApi),
  'AWS::ApiGateway::Stage': judgeStale,
  'AWS::ApiGatewayV2::Api': ways(waysOfApi),
  'AWS::ApiGatewayV2::Authorizer': ways(waysOfAuthorizer),
  'AWS::ApiGatewayV2::Deployment': judgeStale,
  // Its routes are judged.
  'AWS::ApiGatewayV2::Integration': () => [],
  'AWS::ApiGatewayV2::Route': ways(waysOfRoute),
  'AWS::ApiGatewayV2::Stage': judgeStale,
  'AWS::ElasticLoadBalancingV2::Listener': ways(waysOfListener),
  'AWS::ElasticLoadBalancingV2::ListenerRule': ways(waysOfListener),
  // The listeners that forward to it are judged.
  'AWS::ElasticLoadBalancingV2::TargetGroup': () => [],
  'AWS::IAM::ManagedPolicy': judgePolicy,
  'AWS::IAM::Policy': judgePolicy,
  'AWS::IAM::Role': (role, functions, id) => refusing(formsOfRole(role, id, functions)),
  'AWS::IAM::RolePolicy': judgePolicy,
  'AWS::Lambda::Alias': ({ properties }, functions) => {
    const form = isAliasOfNow(properties, functions.resources) ? 'identified' : 'alias';
    return [{ form, callee: calleeOf(properties.FunctionName, functions) }];
  },
  'AWS::Lambda::Permission': ({ properties }, functions) => [
    {
      form: formOfPermission(properties, functions.resources),
      callee: calleeOf(properties.FunctionName, functions),
    },
  ],
  'AWS::Lambda::ResourcePolicy': ({ properties }, functions) => {
    const callee = calleeOf(properties.ResourceArn, functions);
    const forms = formsOfResourcePolicy(properties.PolicyDocument, functions.resources);
    return forms.map((form) => ({ form, callee }));
  },
  'AWS::Lambda::Url': ways(waysOfUrl),
  [PUBLISHED]: ({ properties }, functions, id) => {
    const isPlain = isPublishedNow(id) && properties.Policy === undefined;
    return [
      { form: isPlain ? 'identified' : 'version', callee: calleeOf(properties.FunctionName, functions) },
    ];
  },
};
const SECTIONS = [
  'AWSTemplateFormatVersion',
  'Conditions',
  'Description',
  'Mappings',
  'Metadata',
  'Outputs',
  'Parameters',
  'Resources',
  'Rules',
];

/**
 * @param template as it is uploaded
 * @param options `functions`: the logical ids of functions that are login functions, whatever the template says;
 *   `guardedElsewhere`: by logical id, the reason why something else guards a resource
 */
export function judge(
  template: object,
  options: { guardedElsewhere?: Record<string, unknown>; functions?: readonly string[] } = {},
): Judgement {
  const { guardedElsewhere = {}, functions: expected = [] } = options;
  const sections = mapOf(JSON.parse(JSON.stringify(template)));
  const functions = functionsOf(resourcesOf(sections));
  const hidden = Object.entries(sections).filter(([name, section]) => !isPlainSection(name, section));
  const all = [...functions.resources].map(
    ([id, resource]) => [id, waysOf(id, resource, functions)] as const,
  );
  const found = [
    ...hidden.map(([name]) => problem(name, 'hidden')),
    ...expected.filter((id) => !functions.login.has(id)).map((id) => problem(id, 'wrapped handler')),
    ...all.flatMap(([id, inIt]) => problemsOf(id, inIt, functions)),
  ];
  const isExempt = ({ id }: Problem) => Object.hasOwn(guardedElsewhere, id);
  const exempt = new Set(found.filter(isExempt).map(({ id }) => id));
  return {
    problems: found.filter((one) => !isExempt(one)),
    guarded: [...exempt].map((id) => ({ id, reason: guardedElsewhere[id] })),
    notes: notesOf(
      functions,
      all.flatMap(([, inIt]) => inIt),
    ),
  };
}

/** Resources are looked at one by one. */
function isPlainSection(name: string, section: unknown): boolean {
  if (name === 'Resources') return isMap(section);
  return SECTIONS.includes(name) && !isRewritten(section);
}

function waysOf(id: string, resource: Resource, functions: Functions): Way[] {
  const { type, isWrittenOut } = resource;
  if (!isWrittenOut) return refusing(['hidden']);
  if (type === FUNCTION) {
    return refusing(functions.login.has(id) || functions.others.has(id) ? [] : ['function of this code']);
  }
  const judgeOfType = Object.hasOwn(JUDGES, type) ? JUDGES[type] : undefined;
  const calls = judgeOfType?.(resource, functions, id) ?? callsOf(resource, functions);
  if (calls === undefined) return isInert(type) ? [] : refusing(['unknown type']);
  return isKept(resource) ? [...calls, ...refusing(['retained'])] : calls;
}

/** Whether what leads to a function lives on when the template has it no longer. Data may. */
function isKept({ type, attributes }: Resource): boolean {
  const isJudged = (Object.hasOwn(JUDGES, type) && type !== PUBLISHED) || Object.hasOwn(CALLERS, type);
  return (
    isJudged &&
    ['DeletionPolicy', 'UpdateReplacePolicy'].some((name) => (attributes[name] ?? 'Delete') !== 'Delete')
  );
}

function problemsOf(id: string, inIt: readonly Way[], { resources }: Functions): Problem[] {
  const refused = inIt.filter(({ form, callee }) => {
    const { allowed }: FormOfWayIn = FORMS[form];
    if (callee.kind !== 'ours' || allowed === 'always') return false;
    return allowed === 'never' || !callee.isSigned;
  });
  return [...new Set(refused.map(({ form }) => form))].map((form) =>
    problem(id, form, resources.get(id)?.type),
  );
}

function problem(id: string, form: FormName, type = ''): Problem {
  const { says, instead } = FORMS[form];
  return {
    id,
    form,
    text: `${id}: ${type === '' ? '' : `${type} `}${says}. Write ${instead}. ${exemption(id)}`,
  };
}

function exemption(id: string): string {
  return `Where something else guards it, write below custom.loginHooks.guardedElsewhere: "${id}: <reason>".`;
}

/** What the template shows and cannot settle: rights outside it, and functions that strangers may call. */
function notesOf(functions: Functions, all: readonly Way[]): string[] {
  const { resources, others } = functions;
  const open = new Set(
    all.filter(isOpen).map(({ callee }) => (callee.kind === 'other' ? callee.id : undefined)),
  );
  const leading = [...others].filter((id) => {
    const role = { types: ['AWS::IAM::Role'], attribute: 'Arn' };
    const found = referredTo(resources.get(id)?.properties.Role, resources, role);
    return open.has(id) && found !== undefined && roleMayInvoke(found.id, found.resource, functions);
  });
  const elsewhere = [...resources].flatMap(([id, policy]) =>
    rolesElsewhere(policy, functions).map(
      (name) => `${id} lets the role ${name} invoke login functions, or may.`,
    ),
  );
  return [
    ...leading.map(
      (id) => `${id} may invoke login functions, and anybody may call it: it must tell who calls.`,
    ),
    ...elsewhere,
  ];
}

function isOpen({ form }: Way): boolean {
  const found: FormOfWayIn = FORMS[form];
  return found.isOpen === true;
}

/**
 * What is wrong with the list itself: an entry that exempts nothing hides what it once stood for.
 *
 * @param guarded what the list exempts in a template, or null where a template need not have all of it
 */
export function problemsOfExemptions(
  guardedElsewhere: unknown,
  guarded: Judgement['guarded'] | null,
): string[] {
  if (!isMap(guardedElsewhere)) return ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}'];
  return Object.entries(guardedElsewhere).flatMap(([id, reason]) => {
    const entry = `custom.loginHooks.guardedElsewhere.${id}`;
    if (typeof reason !== 'string' || reason.trim() === '') return [`${entry}: expected the reason, as text`];
    if (guarded === null || guarded.some((one) => one.id === id)) return [];
    return [`${entry}: nothing of this name needs an exemption. Take the entry out.`];
  });
}
