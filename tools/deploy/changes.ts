/** What a template changes of the login functions that are deployed, and whether a protection is gone after it. */
import { JUDGED_VARIABLES } from '../../lib/environment.ts';
import { isSecretId } from '../../lib/secretId.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import type { FunctionName } from '../shared/functions.ts';
import { CHECK_NAMES, kindOf } from '../shared/functions.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import { providerOf } from './capacityProvider.ts';
import { loginCodeOf } from './waysIn/functionNames.ts';
import { mapOf, resourcesOf, type Values } from './waysIn/template.ts';

interface Difference {
  text: string;
  /** Whether a protection is gone. */
  isWeaker: boolean;
}

export interface Change extends Difference {
  /** The logical id of its function. */
  id: string;
}

interface Place {
  functionName: string;
  runsOn: string;
}

interface DeployedFunction extends Place {
  code: FunctionName;
  settings: Record<string, string>;
}

/**
 * Compares two templates: the settings of each login function, its name and what it runs on, not the rest.
 *
 * @param deployed the template of the stack; one without login functions where nothing is deployed yet
 * @param next the template that is about to take its place
 * @param hasExemptions whether `next` has ways in that something guards which no template shows
 */
export function changesOf(deployed: object, next: object, { hasExemptions = false } = {}): Change[] {
  const before = loginFunctionsOf(deployed);
  const after = loginFunctionsOf(next);
  if (before.size === 0) return [];
  const gone = Array.from(before).filter(([id]) => !after.has(id));
  const changes = Array.from(after).flatMap(([id, fn]) => {
    const same = before.get(id);
    const olds = same === undefined ? replacedBy(fn, gone) : [same];
    const added = same === undefined ? [told('is new')] : [];
    const changed = olds.flatMap((old) => [
      ...changesOfPlace(old, fn),
      ...changesOfSettings(old, fn, hasExemptions),
    ]);
    return [...added, ...changed].map((change) => ({ id, ...change }));
  });
  return [...changes, ...gone.map(([id]) => ({ id, ...told('is removed') }))];
}

/** A function of another name takes the place of each that ran the same code: which one it replaces is not said. */
function replacedBy({ code }: DeployedFunction, gone: [string, DeployedFunction][]): DeployedFunction[] {
  return gone.map(([, old]) => old).filter((old) => old.code === code);
}

/** By logical id, the code that a function runs and its settings. */
function loginFunctionsOf(template: object): Map<string, DeployedFunction> {
  const entries = [...resourcesOf(mapOf(template))].flatMap(([id, { type, properties }]) => {
    const code = type === 'AWS::Lambda::Function' ? loginCodeOf(properties) : undefined;
    if (code === undefined) return [];
    const variables = Object.entries(mapOf(mapOf(properties.Environment).Variables));
    const settings = Object.fromEntries(variables.map(([name, value]) => [name, textOf(value)]));
    return [[id, { code, settings, ...placeOf(properties) }] as const];
  });
  return new Map(entries);
}

/** The name that direct callers use, and what the function runs on. */
function placeOf(properties: Values): Place {
  const provider = providerOf(properties);
  return {
    functionName: textOf(properties.FunctionName),
    runsOn: provider === undefined ? 'Lambda' : `instances of ${textOf(provider)}`,
  };
}

function changesOfPlace(before: Place, after: Place): Difference[] {
  const renamed = `name ${before.functionName} → ${after.functionName}, which direct callers must use`;
  return [
    ...(before.runsOn === after.runsOn ? [] : [told(`runs on ${before.runsOn} → ${after.runsOn}`)]),
    ...(before.functionName === after.functionName ? [] : [told(renamed)]),
  ];
}

function changesOfSettings(
  { code, settings: before }: DeployedFunction,
  { code: nextCode, settings: after }: DeployedFunction,
  hasExemptions: boolean,
): Difference[] {
  if (code !== nextCode) return [told(`code ${code} → ${nextCode}`)];
  const { handler, check, issuers } = OF_CODE[code];
  const kind = kindOf(code);
  const change = (
    name: string,
    setting: string,
    unset: string,
    isWeaker: (from: string, to: string) => boolean = () => false,
    shown: (text: string) => string = String,
  ): Difference[] => {
    const [from, to] = [before[setting] ?? unset, after[setting] ?? unset];
    return from === to
      ? []
      : [{ text: `${name} ${shown(from)} → ${shown(to)}`, isWeaker: isWeaker(from, to) }];
  };
  // Both guard every way in that a template shows, and each template is judged by itself: neither is weaker. What is
  // guarded elsewhere is not judged, and there the signature may be all that told the service from others.
  const losesSignature = (from: string, to: string) =>
    from === 'signature' && to !== 'signature' && hasExemptions;
  const isChecked = before[check] === 'on' && after[check] === 'on';
  const isSigned = [before, after].every(({ CALLER_CHECK }) => CALLER_CHECK === 'signature');
  return [
    ...change('handler', handler, 'default', (_, to) => to === 'default'),
    ...change('callers', 'CALLER_CHECK', 'iam', losesSignature),
    ...change('required fields', 'REQUIRED_FIELDS', REQUIRABLE_FIELDS.join(','), (from, to) =>
      namesIn(from).some((field) => !namesIn(to).includes(field)),
    ),
    ...change(CHECK_NAMES[kind], check, 'off', (from) => from === 'on'),
    ...change(
      'clock skew',
      'CLOCK_SKEW_SECONDS',
      '60',
      (from, to) => isChecked && !(Number(to) <= Number(from)),
    ),
    ...changesOfIssuers(before[issuers], after[issuers]).map(({ text, isWider }) => ({
      text,
      isWeaker: isWider && isChecked,
    })),
    ...change('secrets', 'SECRET_IDS', 'none', undefined, shownIds),
    ...change('signing secret', 'SIGNING_SECRET_ID', 'none', () => isSigned, shownIds),
    ...OF_THE_PROCESS.flatMap((name) => change(name, name, 'none', (_, to) => to !== 'none')),
  ];
}

/** Of a list with commas, which may be `none`. */
function namesIn(list: string): string[] {
  return list.split(',').flatMap((name) => (name.trim() === 'none' ? [] : [name.trim()]));
}

/** By each of them, other code may run in a function, or others be trusted. */
const OF_THE_PROCESS = [...JUDGED_VARIABLES, 'NODE_EXTRA_CA_CERTS'];

/** An earlier version may have been deployed with a secret instead of its name. */
function shownIds(ids: string): string {
  return ids.split(',').every((id) => isSecretId(id.trim())) ? ids : '(not the name of a secret)';
}

interface ChangeOfIssuer {
  text: string;
  /** Whether tokens or assertions are accepted after it that were not before. */
  isWider: boolean;
}

function changesOfIssuers(before = '{}', after = '{}'): ChangeOfIssuer[] {
  if (before === after) return [];
  const [old, next] = [issuersOf(before), issuersOf(after)];
  if (old === null || next === null)
    return [{ text: 'issuers changed and cannot be compared', isWider: true }];
  const names = [...new Set([...old.keys(), ...next.keys()])];
  return names.flatMap((name) => {
    const [from, to] = [old.get(name), next.get(name)];
    if (to === undefined) return [{ text: `issuer ${name} is removed`, isWider: false }];
    if (from === undefined) return [{ text: `issuer ${name} is new`, isWider: true }];
    return changesOfIssuer(name, from, to);
  });
}

function changesOfIssuer(name: string, before: Values, after: Values): ChangeOfIssuer[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .map((key) => ({ key, from: [before[key] ?? []].flat(), to: [after[key] ?? []].flat() }))
    .filter(({ from, to }) => JSON.stringify([...from].sort()) !== JSON.stringify([...to].sort()))
    .map(({ key, from, to }) => ({
      text: `issuer ${name}: ${key} ${from.join(', ') || 'none'} → ${to.join(', ') || 'none'}`,
      // Whose keys are at another place, no template shows.
      isWider: key === 'jwks_uri' || to.some((value) => !from.includes(value)),
    }));
}

/** Null for what is not a JSON object of objects. */
function issuersOf(text: string): Map<string, Values> | null {
  try {
    const issuers: unknown = JSON.parse(text);
    return areIssuers(issuers) ? new Map(Object.entries(issuers)) : null;
  } catch {
    return null;
  }
}

function areIssuers(value: unknown): value is Record<string, Values> {
  return isObject(value) && Object.values(value).every(isObject);
}

/** No name in it has a meaning for CloudFormation. */
function isObject(value: unknown): value is Values {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function told(text: string): Difference {
  return { text, isWeaker: false };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
