/** What a template changes of the login functions that are deployed, and whether a protection is gone after it. */
const { basename } = require('node:path');
const { JUDGED_VARIABLES } = require('../../lib/environment.ts');
const { isSecretId } = require('../../lib/secretId.ts');
const { providerOf } = require('./capacityProvider.cjs');
const { OF_CODE } = require('../shared/settingNames.ts');
const { isLoginHandler, runs } = require('./waysIn/functions.ts');

/**
 * Compares two templates: the settings of each login function, its name and what it runs on, not the rest.
 *
 * @param deployed the template of the stack; one without login functions where nothing is deployed yet
 * @param next the template that is about to take its place
 * @param hasExemptions whether `next` has ways in that something guards which no template shows
 * @returns the changes, each `{ id, text, isWeaker }` with the logical id of its function
 */
function changesOf(deployed, next, { hasExemptions = false } = {}) {
  const before = loginFunctionsOf(deployed);
  const after = loginFunctionsOf(next);
  if (before.size === 0) return [];
  const gone = Array.from(before).filter(([id]) => !after.has(id));
  const changes = Array.from(after).flatMap(([id, fn]) => {
    const olds = before.has(id) ? [before.get(id)] : replacedBy(fn, gone);
    const added = before.has(id) ? [] : [told('is new')];
    const changed = olds.flatMap((old) => [
      ...changesOfPlace(old, fn),
      ...changesOfSettings(old, fn, hasExemptions),
    ]);
    return [...added, ...changed].map((change) => ({ id, ...change }));
  });
  return [...changes, ...gone.map(([id]) => ({ id, ...told('is removed') }))];
}

/** A function of another name takes the place of each that ran the same code: which one it replaces is not said. */
function replacedBy({ code }, gone) {
  return gone.map(([, old]) => old).filter((old) => old.code === code);
}

/** By logical id, the code that a function runs and its settings. */
function loginFunctionsOf({ Resources = {} }) {
  const entries = Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const handler = Type === 'AWS::Lambda::Function' ? runs(Properties).find(isLoginHandler) : undefined;
    if (handler === undefined) return [];
    const settings = mapValues(Properties.Environment?.Variables ?? {}, textOf);
    return [[id, { code: basename(handler, '.handler'), settings, ...placeOf(Properties) }]];
  });
  return new Map(entries);
}

/** The name that direct callers use, and what the function runs on. */
function placeOf(properties) {
  const provider = providerOf(properties);
  return {
    functionName: textOf(properties.FunctionName),
    runsOn: provider === undefined ? 'Lambda' : `instances of ${textOf(provider)}`,
  };
}

function changesOfPlace(before, after) {
  const renamed = `name ${before.functionName} → ${after.functionName}, which direct callers must use`;
  return [
    ...(before.runsOn === after.runsOn ? [] : [told(`runs on ${before.runsOn} → ${after.runsOn}`)]),
    ...(before.functionName === after.functionName ? [] : [told(renamed)]),
  ];
}

function changesOfSettings({ code, settings: before }, { code: nextCode, settings: after }, hasExemptions) {
  if (code !== nextCode) return [told(`code ${code} → ${nextCode}`)];
  const { handler, shadow, shadowToken, check, checkName, issuers } = OF_CODE[code];
  const change = (name, setting, unset, isWeaker = () => false, shown = String) => {
    const [from, to] = [before[setting] ?? unset, after[setting] ?? unset];
    return from === to
      ? []
      : [{ text: `${name} ${shown(from)} → ${shown(to)}`, isWeaker: isWeaker(from, to) }];
  };
  // Both guard every way in that a template shows, and each template is judged by itself: neither is weaker. What is
  // guarded elsewhere is not judged, and there the signature may be all that told the service from others.
  const losesSignature = (from, to) => from === 'signature' && to !== 'signature' && hasExemptions;
  const isChecked = before[check] === 'on' && after[check] === 'on';
  const isSigned = [before, after].every(({ CALLER_CHECK }) => CALLER_CHECK === 'signature');
  return [
    ...change('handler', handler, 'default', (_, to) => to === 'default'),
    ...change('shadow', shadow, 'none'),
    ...change('access token for the shadow', shadowToken, 'off', (_, to) => to !== 'off'),
    ...change('callers', 'CALLER_CHECK', 'iam', losesSignature),
    ...change(checkName, check, 'off', (from) => from === 'on'),
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

/** By each of them, other code may run in a function, or others be trusted. */
const OF_THE_PROCESS = [...JUDGED_VARIABLES, 'NODE_EXTRA_CA_CERTS'];

/** An earlier version may have been deployed with a secret in the place of its name. */
function shownIds(ids) {
  return ids.split(',').every((id) => isSecretId(id.trim())) ? ids : '(not the name of a secret)';
}

/** @returns the changes, each with whether tokens or assertions are accepted after it that were not before */
function changesOfIssuers(before = '{}', after = '{}') {
  if (before === after) return [];
  const [old, next] = [before, after].map(issuersOf);
  if (old === null || next === null)
    return [{ text: 'issuers changed, and cannot be compared', isWider: true }];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  return names.flatMap((name) => {
    if (!Object.hasOwn(next, name)) return [{ text: `issuer ${name} is removed`, isWider: false }];
    if (!Object.hasOwn(old, name)) return [{ text: `issuer ${name} is new`, isWider: true }];
    return changesOfIssuer(name, old[name], next[name]);
  });
}

function changesOfIssuer(name, before, after) {
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
function issuersOf(text) {
  try {
    const issuers = JSON.parse(text);
    const areMaps = [issuers, ...Object.values(issuers)].every(
      (one) => Object.prototype.toString.call(one) === MAP,
    );
    return areMaps ? issuers : null;
  } catch {
    return null;
  }
}

const MAP = '[object Object]';

function told(text) {
  return { text, isWeaker: false };
}

function textOf(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

module.exports = { changesOf };
