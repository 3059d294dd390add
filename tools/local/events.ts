/**
 * The sample events: `<folder>/<function>/<name>.json`. Beside each may be `<name>.expected.json`, its expected answer, and
 * `<name>.recordings.json`, what other systems answered.
 */
import { existsSync, globSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { isJsonObject, strict, text } from '../../lib/schema.ts';
import { nearest, readJsonFile, readTextFile, UnusableInput } from '../shared/commandLine.ts';
import { ALL_FUNCTION_NAMES, type FunctionName } from '../shared/functions.ts';
import { IS_OWN_PROJECT, ofProject, PROJECT } from '../shared/project.ts';
import { FUNCTION_NAMES, requireFunction } from '../shared/projectFunctions.ts';
import { eventInside } from './httpEvent.ts';
import { parsedAs, type Recording, readRecordings } from './recordings.ts';

export const EVENTS = join(PROJECT, 'events');

const Expected = strict({
  /** The handler that answers so, as the setting takes it; the default handler where there is none. */
  handler: v.exactOptional(v.string('expected the name of a handler')),
  /** The HTTP status that goes with the answer: 200 wherever the handler answered. */
  status: v.number('expected an HTTP status'),
  answer: v.pipe(
    v.record(v.string(), v.unknown(), 'expected an object'),
    v.check(({ type }) => typeof type === 'string', 'expected the type of a response'),
  ),
  /** Changes of the event with which its person may get in too, each with the reason: names of `tools/explain/attack/changes.ts`. */
  mayBe: v.exactOptional(v.record(v.string(), text, 'expected an object of changes')),
});
export type Expected = v.InferOutput<typeof Expected>;

export interface SampleEvent {
  functionName: string;
  name: string;
  /** The path of its file; empty for an event that is not stored. */
  file: string;
  event: unknown;
  expected: Expected | null;
  /** What other systems responded when it was recorded; null where nothing was. */
  recordings: Recording[] | null;
}

const NAMES: readonly string[] = FUNCTION_NAMES;

/** As commands print an event, and take it: `openidLoggedIn/entra`. */
export function labelOf({ functionName, name }: Pick<SampleEvent, 'functionName' | 'name'>): string {
  return `${functionName}/${name}`;
}

/** Whether it is no sample of login-hooks: those have an expected response each, only in this repository. */
export function isOwnSample({ expected }: Pick<SampleEvent, 'expected'>): boolean {
  return IS_OWN_PROJECT || expected === null;
}

/**
 * @param given a path, or an event as `check` prints it, with or without `.json`
 * @returns what was given where there is nothing of the name
 * @throws {UnusableInput} for a file that belongs to an event, and for a name that is nearly one's
 */
export function eventsPath(given: string): string {
  const places = [given, `${given}.json`, join(EVENTS, given), join(EVENTS, `${given}.json`)];
  const path = places.find((one) => existsSync(one)) ?? given;
  if (BESIDE.test(path)) {
    const event = ofProject(path.replace(BESIDE, '.json'));
    throw new UnusableInput(`${given}: this file belongs to an event: expected ${event}`);
  }
  const events = globSync(OF_ALL, { cwd: EVENTS }).filter((file) => !BESIDE.test(file));
  const near = existsSync(path) ? '' : nearest(given, events);
  if (near !== '') throw new UnusableInput(`${given}: found no such event; the nearest is ${near}`);
  return path;
}

/** The events of all functions, from their folder. */
const OF_ALL = `@(${NAMES.join('|')})/*.json`;
const BESIDE = /\.(?:expected|recordings)\.json$/;

/**
 * @param path the file of an event, a folder like `events/`, or one of the folders in it
 * @throws {UnusableInput} for a file that is not there, is no JSON, no expected answer, or belongs to no event or no function
 */
export async function sampleEvents(path = EVENTS): Promise<SampleEvent[]> {
  if (path.endsWith('.json')) return [await readSample(path)];
  const all = resolve(path) === EVENTS ? globSync('{,*/}*.json', { cwd: EVENTS }) : [];
  const stray = all.find((file) => !ALL_FUNCTION_NAMES.some((name) => name === dirname(file)));
  if (stray !== undefined)
    throw new UnusableInput(
      `events/${stray}: expected this file in the folder events/${NAMES.join(' or events/')}`,
    );
  const pattern = NAMES.includes(basename(resolve(path))) ? '*.json' : OF_ALL;
  const files = (await Array.fromAsync(glob(pattern, { cwd: path }))).map((file) => join(path, file));
  const events = files.filter((file) => !BESIDE.test(file)).sort();
  const lost = files.find((file) => !files.includes(file.replace(BESIDE, '.json')));
  if (lost !== undefined) throw new UnusableInput(`${lost}: expected the event beside it`);
  return Promise.all(events.map(readSample));
}

async function readSample(given: string): Promise<SampleEvent> {
  const event = await readJsonFile(given);
  const file = resolve(given);
  const beside = expectedFile({ file });
  return {
    functionName: functionOf(event, file),
    name: basename(file, '.json'),
    file,
    event,
    expected: existsSync(beside) ? expectedIn(await readTextFile(beside), beside) : null,
    recordings: await readRecordings(recordingsFile({ file }), rawRecordingsFile({ file })),
  };
}

/** By the folder of its file, or else by its fields. @throws {UnusableInput} for anything but an event of the project's logins */
export function functionOf(event: unknown, file: string): string {
  const folder = basename(dirname(resolve(file)));
  const name = NAMES.includes(folder) ? folder : functionIn(event);
  if (name === undefined)
    throw new UnusableInput(
      `${file}: expected an event with ${FUNCTION_NAMES.map((one) => FIELDS[one]).join(' or ')}, or a file in a folder ${NAMES.join(' or ')}`,
    );
  requireFunction(name);
  return name;
}

const FIELDS: Readonly<Record<FunctionName, string>> = {
  samlLoggedIn: 'assertion',
  openidLoggedIn: 'idToken',
};

/** The function that an event is for, by its field, inside its HTTP envelope where it has one. */
export function functionIn(event: unknown): string | undefined {
  const inside = eventInside(event);
  return ALL_FUNCTION_NAMES.find((name) => isJsonObject(inside) && FIELDS[name] in inside);
}

/** @throws {UnusableInput} for what is no expected answer */
export function expectedIn(text: string, file: string): Expected {
  return parsedAs(Expected, text, file);
}

export function expectedFile({ file }: Pick<SampleEvent, 'file'>): string {
  return file.replace(/\.json$/, '.expected.json');
}

/** Where real responses of other systems are recorded, which are in no repository. */
export function rawRecordingsFile({ file }: Pick<SampleEvent, 'file'>): string {
  return join(PROJECT, '.build', 'recordings', ofProject(file));
}

/** Where the responses of other systems are that go with an event into git. */
export function recordingsFile({ file }: Pick<SampleEvent, 'file'>): string {
  return file.replace(/\.json$/, '.recordings.json');
}

/** The answer out of a function's result: out of its HTTP envelope, where the event was an HTTP request. */
export function unwrap(result: unknown): { status: number | null; answer: unknown } {
  const { statusCode, body } = result as { statusCode?: number; body?: string };
  if (typeof statusCode !== 'number' || typeof body !== 'string') return { status: null, answer: result };
  return { status: statusCode, answer: JSON.parse(body) };
}
