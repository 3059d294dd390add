/** The mapping that a handler is made of, and what is odd about it though it loads. */
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { isAtEntra } from '../../lib/issuers.ts';
import { kindOfRule } from '../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type IssuerPart, issuerParts } from '../../lib/profile/schema/ofIssuer.ts';
import { CODE } from '../shared/project.ts';
import type { Engine } from './engine.ts';

/** A handler, as a function's setting names it. */
export interface HandlerOf {
  functionName: string;
  handlerModule: string;
}

export type Loaded = Pick<Engine, 'root' | 'stage'>;

/** @returns null for a handler of plain code, and for one that cannot be loaded */
export function mappingOf(handler: HandlerOf, loaded: Loaded): Promise<Mapping | null> {
  return loadedMapping(handler, loaded).catch(() => null);
}

/**
 * The handler is loaded in a thread of its own: what it leaves running when it loads ends with the thread.
 *
 * @returns null for a handler of plain code
 * @throws {Error} for one that cannot be loaded
 */
export async function loadedMapping(handler: HandlerOf, { root, stage }: Loaded): Promise<Mapping | null> {
  const worker = new Worker(join(import.meta.dirname, `mappingWorker${CODE}`), {
    workerData: { ...handler, root: pathToFileURL(`${root}/`).href },
    env: stage.env,
    stdout: true,
    stderr: true,
  });
  const ended = once(worker, 'exit').then(() => [null]);
  try {
    const [mapping] = await Promise.race([once(worker, 'message'), ended]);
    return mapping;
  } finally {
    await worker.terminate();
  }
}

export function mappingWarnings(mapping: Mapping): string[] {
  return [...new Set(issuerParts(parseMapping(mapping)).flatMap(warningsOf))];
}

/** The guards of a mapping that lists no issuers, by their paths: every issuer may assert what they look at. */
export function unboundGuards(mapping: Mapping): string[] {
  const ofAll = issuerParts(parseMapping(mapping)).filter(({ issuer }) => issuer === null);
  return ofAll.flatMap(({ groups, rules }) => [
    ...(groups ? [groups.path] : []),
    ...rules.map(({ rule, path }) => `${path}.${kindOfRule(rule)}`),
  ]);
}

const ABSENT_AT_ENTRA =
  'Entra may leave out the groups if there are too many, so their absence does not prove that there are none.';

const NO_PATTERN = 'has a "*", which stands for itself: there are no patterns.';

const ENDS = 'Write { prefix } or { suffix } for texts that begin or end so.';
const BEGINNING = 'Write { prefix } for groups that begin so.';

/** What to write instead, by the keys whose texts are compared with what arrives. */
const INSTEAD: Readonly<Record<string, string>> = {
  emails: 'Write email_domains for all addresses of a domain.',
  affiliations: 'List each, or leave the key out for any.',
  any_group: BEGINNING,
  no_group: BEGINNING,
  table: BEGINNING,
  is: ENDS,
  is_not: ENDS,
  assurance: 'List each value.',
};

function warningsOf({ issuer, groups, rules }: IssuerPart): string[] {
  const isCut = groups && groups.absent.length > 0 && isAtEntra(URL.parse(issuer ?? ''));
  const table = groups?.table.map(({ group }) => group) ?? [];
  return [
    ...(isCut ? [`${groups.path}.absent: ${ABSENT_AT_ENTRA}`] : []),
    ...patternsIn({ table }, groups?.path ?? ''),
    ...rules.flatMap(({ rule, path }) => patternsIn(rule, path)),
  ];
}

function patternsIn(part: object, path: string): string[] {
  return Object.entries(part).flatMap(([key, values]) => {
    const texts = key in INSTEAD ? textsIn(values).filter((text) => text.includes('*')) : [];
    return texts.map((text) => `${path}.${key}: ${JSON.stringify(text)} ${NO_PATTERN} ${INSTEAD[key]}`);
  });
}

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}
