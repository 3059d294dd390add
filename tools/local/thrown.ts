/** What a handler threw, with its place in the source: for the machine of its author alone. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside, ofProject, PACKAGE } from '../shared/project.ts';
import type { LogRecord } from './process/logRecords.ts';

const CONTEXT_LINES = 2;

export interface Thrown {
  /** Its class and text, e.g. `TypeError: Cannot read properties of undefined (reading 'sub')`. */
  text: string;
  place: SourcePlace | null;
}

export interface SourcePlace {
  /** From the project's folder where it is in it; absolute elsewhere. */
  file: string;
  line: number;
  column: number;
  source: { number: number; text: string }[];
}

/** Null where the handler threw nothing. The text of an error is at level DEBUG. */
export function thrownIn(records: readonly LogRecord[]): Thrown | null {
  return thrownInLogin(records) ?? thrownWhileLoading(records);
}

function thrownInLogin(records: readonly LogRecord[]): Thrown | null {
  const { reason, error } = records.findLast(({ event }) => event === 'login') ?? {};
  if (reason !== 'handler_threw' && reason !== 'internal_error') return null;
  const { class: name, frames = [] } = (error ?? {}) as { class?: string; frames?: string[] };
  const { message } = records.findLast(({ event }) => event === 'login_error_message') ?? {};
  const text = [name, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return { text, place: placeIn(frames) };
}

function thrownWhileLoading(records: readonly LogRecord[]): Thrown | null {
  const { error } = records.findLast(({ event }) => event === 'cold_start') ?? {};
  if (typeof error !== 'string') return null;
  const [first = '', ...frames] = error.split('\n');
  return { text: first, place: placeIn(frames) };
}

const FRAME = /\(?([^()\s]+):(\d+):(\d+)\)?$/;

/** The first frame in the operator's own code; else the first one in any source. */
function placeIn(frames: readonly string[]): SourcePlace | null {
  const places = frames.flatMap((frame) => {
    const [, path = '', line, column] = FRAME.exec(frame) ?? [];
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    return isAbsolute(file) && existsSync(file) ? [{ file, line: Number(line), column: Number(column) }] : [];
  });
  const place = places.find(({ file }) => isOperators(file)) ?? places[0];
  if (!place) return null;
  return {
    ...place,
    file: ofProject(place.file),
    source: around(place),
  };
}

function isOperators(file: string): boolean {
  const isLibrary = file.includes(`${sep}node_modules${sep}`);
  return !isLibrary && !['lib', 'functions'].some((folder) => isInside(join(PACKAGE, folder), file));
}

function around({ file, line }: { file: string; line: number }): SourcePlace['source'] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const first = Math.max(1, line - CONTEXT_LINES);
  return lines.slice(first - 1, line + CONTEXT_LINES).map((text, index) => ({ number: first + index, text }));
}
