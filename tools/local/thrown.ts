/** What a handler threw, with its place in the source: only for the machine of its author. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showable } from '../../lib/text.ts';
import { isInside, ofProject, PACKAGE } from '../shared/project.ts';
import { type LogRecord, lastRecord } from './process/logRecords.ts';

const CONTEXT_LINES = 2;

export interface Thrown {
  /** Its class and text, e.g. `TypeError: Cannot read properties of undefined (reading 'sub')`. */
  text: string;
  place: SourcePlace | null;
}

export interface SourcePlace {
  path: string;
  /** From the project's folder where it is in it; absolute elsewhere. */
  file: string;
  line: number;
  column: number;
  source: { number: number; text: string }[];
}

/** Null where the handler threw nothing. The text of an error is at level DEBUG. */
export function thrownIn(records: readonly LogRecord[]): Thrown | null {
  const { reason, error } = lastRecord(records, 'login');
  if (reason !== 'handler_threw' && reason !== 'internal_error') return thrownWhileLoading(records);
  const { class: name, frames = [] } = (error ?? {}) as { class?: string; frames?: string[] };
  const { message } = lastRecord(records, 'login_error_message');
  const parts = [name, message].filter((part) => typeof part === 'string' && part !== '');
  // A text of the provider's may be in it: it moves no cursor, and begins no line.
  return { text: showable(parts.join(': ').replaceAll(/\s+/g, ' ')), place: placeIn(frames) };
}

function thrownWhileLoading(records: readonly LogRecord[]): Thrown | null {
  const { error } = lastRecord(records, 'cold_start');
  if (typeof error !== 'string') return null;
  const [text = '', ...frames] = error.split('\n');
  return { text, place: placeIn(frames) };
}

const FRAME = /\(?([^()\s]+):(\d+):(\d+)\)?$/;

/** The first frame in the operator's own code; else the first one in any source. */
function placeIn(frames: readonly string[]): SourcePlace | null {
  const places = frames.flatMap((frame) => {
    const [, found = '', line, column] = FRAME.exec(frame) ?? [];
    return fileAt(found).map((path) => ({ path, line: Number(line), column: Number(column) }));
  });
  const place = places.find(({ path }) => isOperators(path)) ?? places[0];
  return place ? { ...place, file: ofProject(place.path), source: around(place.path, place.line) } : null;
}

/** At most one. A handler may print frames of any form. */
function fileAt(found: string): string[] {
  try {
    const path = found.startsWith('file:') ? fileURLToPath(found) : found;
    return isAbsolute(path) && statSync(path).isFile() ? [path] : [];
  } catch {
    return [];
  }
}

function isOperators(file: string): boolean {
  const isLibrary = file.includes(`${sep}node_modules${sep}`);
  return !isLibrary && !['lib', 'functions'].some((folder) => isInside(join(PACKAGE, folder), file));
}

function around(path: string, line: number): SourcePlace['source'] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const first = Math.max(1, line - CONTEXT_LINES);
  return lines.slice(first - 1, line + CONTEXT_LINES).map((text, index) => ({ number: first + index, text }));
}
