/**
 * What a change of handlers, mappings and settings does to the events, for people who review it: Markdown for a comment on a pull
 * request, without a value of an event.
 */
import { relative, resolve, sep } from 'node:path';
import { differencesOf } from '../explain/differences.ts';
import { isSameHandler, wronglyIn } from '../explain/judgedSamples.ts';
import { type Expected, expectedFile, expectedIn, labelOf, type SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { git } from '../shared/programs.ts';
import { PROJECT } from '../shared/project.ts';
import { type Checked, countsOf, handlerOf, type RunResult, shortType } from './report.ts';

export interface Earlier {
  /** The commit as it was given, e.g. `origin/main`. */
  ref: string;
  /** By the event's file; none for an event that had no expected response. */
  expected: ReadonlyMap<string, Expected>;
}

/** @throws {UnusableInput} for what is no commit, and for an expected response that is none */
export async function expectedAt(ref: string, samples: readonly SampleEvent[]): Promise<Earlier> {
  const verified = git(PROJECT, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  const id = await verified.then((text) => text.trim()).catch(() => '');
  if (id === '') throw new UnusableInput(`--against: git knows no commit ${ref}`);
  // Below the project's folder, and relative to it.
  const known = new Set((await git(PROJECT, 'ls-tree', '-r', '-z', '--name-only', id)).split('\0'));
  const expected = new Map<string, Expected>();
  for (const sample of samples) {
    const path = relative(PROJECT, resolve(expectedFile(sample))).replaceAll(sep, '/');
    if (!known.has(path)) continue;
    const content = await git(PROJECT, 'show', `${id}:./${path}`);
    expected.set(sample.file, expectedIn(content, `${path} at ${ref}`));
  }
  return { ref, expected };
}

/** @param earlier null where nothing is compared */
export function reviewText(result: RunResult, earlier: Earlier | null): string {
  const { events, problems, findings, inForce, totals } = result;
  const errors = findings.filter(({ level }) => level === 'error');
  const ofHandlers = [
    ...problems,
    ...errors.map(({ subject, message, change }) =>
      [subject && `${subject}:`, message, change].filter(Boolean).join(' '),
    ),
  ];
  const parts = [
    ...(earlier === null ? ['### Logins'] : changesIn(events, earlier)),
    ...section('Not as expected', ['event', 'handler', ''], events.flatMap(wrongIn)),
    ...(ofHandlers.length > 0 ? ['#### Handlers', ofHandlers.map(item).join('\n')] : []),
    inForce.map(item).join('\n'),
    [...countsOf(events), ...totals].join(', '),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The first is what a reviewer looks for. */
const CHANGE_KINDS = ['newly authorized', 'newly refused', 'answered otherwise'] as const;

interface Change {
  kind: (typeof CHANGE_KINDS)[number];
  row: string[];
}

function changesIn(events: readonly Checked[], earlier: Earlier): string[] {
  const compared = comparedWith(earlier, events);
  const changes = compared.flatMap(changeIn);
  const ofKind = (kind: Change['kind']) => changes.filter((change) => change.kind === kind);
  const counts = CHANGE_KINDS.map((kind) => [ofKind(kind).length, kind] as const);
  const summary = [
    ...counts.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`),
    `${compared.length - changes.length} of ${compared.length} logins are answered as before`,
    ...(compared.length < events.length ? [`${events.length - compared.length} not compared`] : []),
  ];
  const rows = CHANGE_KINDS.flatMap(ofKind).map(({ row }) => row);
  return [
    `### Logins, compared with ${code(earlier.ref)}`,
    `**${summary.join(', ')}**`,
    ...section('Who gets in', ['', 'event', 'handler', 'before', 'now', 'fields'], rows),
  ];
}

/** An event beside what another commit expects of it. */
type Compared = readonly [checked: Checked, before: Expected];

/**
 * Those events that the other commit has an expected response for, of a handler that answers now: the same handler, or the one
 * that the event expects now.
 *
 * @throws {UnusableInput} where there is none
 */
function comparedWith({ ref, expected }: Earlier, all: readonly Checked[]): Compared[] {
  const compared = all.flatMap((checked): Compared[] => {
    const before = expected.get(checked.sample.file);
    const { verdict, handler } = checked;
    if (before === undefined) return [];
    return verdict.kind !== 'other' || isSameHandler(before.handler, handler?.given)
      ? [[checked, before]]
      : [];
  });
  if (compared.length > 0) return compared;
  throw new UnusableInput(
    `${ref}: no event has an expected response of its handler at this commit: choose a later one`,
  );
}

/** The fields that differ are named, without their values. */
function changeIn([checked, { status, answer }]: Compared): Change[] {
  const differences = differencesOf({ status, response: answer }, checked.answered);
  if (differences.length === 0) return [];
  const outcomes = [shortType(answer.type), outcomeOf(checked.answered)];
  const [wasIn, isIn] = outcomes.map((outcome) => outcome === AUTHORIZED);
  const newly = isIn ? 'newly authorized' : 'newly refused';
  const kind = isIn === wasIn ? 'answered otherwise' : newly;
  const fields = differences.map(({ field }) => field).join(', ');
  const shown = kind === 'newly authorized' ? `**${kind}**` : kind;
  return [{ kind, row: [shown, ...loginOf(checked), ...[...outcomes, fields].map(plain)] }];
}

const AUTHORIZED = 'Authorized';

function outcomeOf({ failed, response, reason }: InvocationResult): string {
  const type = failed === null ? shortType(response?.type) : 'failed';
  return type === AUTHORIZED ? type : `${type} (${reason})`;
}

/** A row for a login that is not as its expected response, or failed. */
function wrongIn(checked: Checked): string[][] {
  const { answered, verdict } = checked;
  if (verdict.kind === 'failed') return [[...loginOf(checked), plain(`failed (${answered.reason})`)]];
  if (verdict.kind !== 'differs') return [];
  const fields = verdict.differences.map(({ field }) => field).join(', ');
  return [[...loginOf(checked), plain(wronglyIn(verdict) ?? `differs from what is expected in ${fields}`)]];
}

function loginOf(checked: Checked): string[] {
  return [labelOf(checked.sample), handlerOf(checked)].map(code);
}

function section(title: string, header: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`#### ${title}`, lines.join('\n')];
}

function item(line: string): string {
  return `- ${plain(line)}`;
}

/** Names of files and of git may have any character. GitHub looks for no people in code. */
function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** Looked for after entities and backslashes are read: only a character between keeps these from being links and from calling people. */
const LINKS = /[@#]|:(?=\/\/)|\bwww(?=\.)/gi;

/** In a line, and never read as Markdown, as HTML or as the name of somebody. */
function plain(text: string): string {
  return escaped(text).replaceAll(LINKS, '$&&#8203;');
}

function escaped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return line.replaceAll(/[\\`*[\]|~$]|\b_|_\b/g, '\\$&');
}
