/**
 * Recorded responses of other systems, and what a process tells of its requests. Real ones stay below `.build/`; in git, as
 * `<event>.recordings.json` beside the event, are only those of nobody.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { object, problemsOf } from '../../lib/schema.ts';
import { parsedJson, UnusableInput } from '../shared/commandLine.ts';

const text = v.string('expected a text');

/** A request to another system, and its response. It holds no header of the request. */
const Recording = object({
  /** Method and URL; secret parameters of the query are masked. */
  request: text,
  /** SHA-256 of the body, in base64; left out where there is none. */
  body_sha256: v.exactOptional(text),
  status: v.number('expected an HTTP status'),
  headers: v.record(text, text, 'expected headers'),
  /** The response's body where it is JSON: tokens in it are masked. */
  json: v.exactOptional(v.unknown()),
  text: v.exactOptional(text),
});
export type Recording = v.InferOutput<typeof Recording>;

const Recordings = v.array(Recording, 'expected a list of requests and their responses');

/** What becomes of requests to other systems: `live` sends them, and a list responds to them by the recordings in it, and sends none. */
export type Requests = 'live' | readonly Recording[];

/** What an event made the process request of other systems. */
export const RequestLog = v.object({
  /** Of requests that were sent, in the order of their responses. */
  recordings: Recordings,
  /** Method and URL of each request that has no recording, or that got no response. */
  missing: v.array(v.string()),
  /** Positions of the recordings that responded, each once. */
  used: v.array(v.number()),
  /** Ids of the secrets that the process has asked for. */
  secrets: v.array(v.string()),
});
export type RequestLog = v.InferOutput<typeof RequestLog>;

export function noRequests(): RequestLog {
  return { recordings: [], missing: [], used: [], secrets: [] };
}

const Invented = object({
  invented: v.literal(
    true,
    'expected true, because the file is in git: keep the login without its person, or write the responses by hand',
  ),
  recordings: Recordings,
});

/**
 * @param invented the file beside the event, which goes before that of this machine
 * @throws {UnusableInput} for a file that holds something else
 */
export async function readRecordings(invented: string, raw: string): Promise<Recording[] | null> {
  const found = await readAs(Invented, invented);
  return found?.recordings ?? readAs(Recordings, raw);
}

async function readAs<TSchema extends v.GenericSchema>(schema: TSchema, file: string) {
  const content = await readFile(file, 'utf8').catch(() => null);
  return content === null ? null : parsedAs(schema, content, file);
}

/** @throws {UnusableInput} for what is no JSON, and for what the schema refuses */
export function parsedAs<TSchema extends v.GenericSchema>(
  schema: TSchema,
  content: string,
  file: string,
): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, parsedJson(content, file));
  if (result.success) return result.output;
  throw new UnusableInput(`${file}: ${problemsOf(result.issues).join('; ')}`);
}

export function asInvented(recordings: readonly Recording[]): v.InferInput<typeof Invented> {
  return { invented: true, recordings: [...recordings] };
}

/** The first ones, and those of the others whose requests are not among them. */
export function joinRecordings(first: readonly Recording[], others: readonly Recording[]): Recording[] {
  const isAlike = (one: Recording, other: Recording) =>
    one.request === other.request && one.body_sha256 === other.body_sha256;
  return [...first, ...others.filter((other) => !first.some((one) => isAlike(one, other)))];
}

export async function writeRecordings(file: string, recordings: readonly Recording[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(recordings, null, 2)}\n`);
}
