/** Judges a finished CloudFormation template by the types of its resources: what is not known to be guarded is refused. */

import { type Functions, functionsOf, type Way } from './functionNames.ts';
import { roleMayInvoke, rolesElsewhere } from './rights.ts';
import { FORMS, type FormName, type FormOfWayIn } from './table.ts';
import { isMap, isRewritten, mapOf, referredTo, resourcesOf } from './template.ts';
import { waysOf } from './types.ts';
import { problemsOfEnvironment } from './variables.ts';

interface Problem {
  /** The logical id of a resource, or the name of a section. */
  id: string;
  form: FormName | 'environment';
  text: string;
}
export interface Judgement {
  problems: Problem[];
  /** What `guardedElsewhere` exempts. */
  guarded: { id: string; reason: unknown }[];
  /** What is told at each deployment, and not refused. */
  notes: string[];
}

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
    ...[...functions.login].flatMap(([id, { properties }]) =>
      problemsOfEnvironment(properties).map(
        (text): Problem => ({ id, form: 'environment', text: `${id}: ${text}` }),
      ),
    ),
  ];
  // What guards a way in does not guard what the function itself runs.
  const isExempt = ({ id, form }: Problem) => form !== 'environment' && Object.hasOwn(guardedElsewhere, id);
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
  return `If something else guards it, write below custom.loginHooks.guardedElsewhere: "${id}: <reason>".`;
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
      (name) => `${id} lets the role ${name} invoke login functions, or may let it.`,
    ),
  );
  return [
    ...leading.map(
      (id) => `${id} may invoke login functions, and anybody may call it: it must identify its callers.`,
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
    return [`${entry}: no resource of this name needs an exemption. Remove the entry.`];
  });
}
