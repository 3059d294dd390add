/** `why`: why somebody was refused, out of the log of the deployed functions. No value of an event is in it. */
import { REASONS } from '../../lib/reasons.ts';
import { UUID } from '../../lib/text.ts';
import { DIST, prepareBundle } from '../bundle/build.ts';
import { codeVersion } from '../deploy/codeVersion.ts';
import { loggedLogin } from '../explain/loggedLogin.ts';
import { mappingOf } from '../local/mappingOf.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { stageOnAws } from '../shared/awsAccess.ts';
import { type Arguments, DEPLOYED_STAGE, UnusableInput } from '../shared/commandLine.ts';
import { timeText } from '../shared/readable.ts';
import type { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { explain } from './explain.ts';
import { type Logged, type LoginLogs, openLogs, REFUSAL, refusalLists, searchLogs } from './loginLogs.ts';

const EXAMPLE = '8740a637-0c5c-4b0e-9d0b-1f6f6f0f5a11';

export const COMMAND = {
  name: 'why',
  purpose: 'says why somebody was refused, by the reference of the message',
  positionals: [
    { name: '<reference>', about: `e.g. ${EXAMPLE}; without it, refusals are listed`, isOptional: true },
  ],
  options: {
    stage: DEPLOYED_STAGE,
    since: {
      type: 'string',
      value: '<30m|12h|14d>',
      about: 'how far back it looks; default with a reference: 14d',
    },
    issuer: { type: 'string', value: '<issuer>', about: 'lists refusals of people of this issuer' },
    reason: {
      type: 'string',
      value: '<reason>',
      about: 'lists refusals for this reason, e.g. rule_refused',
      choices: Object.keys(REASONS).filter((reason) => reason !== 'authorized'),
    },
  },
  example: `${EXAMPLE} --stage prod`,
  found: 'no login has this reference',
} as const satisfies Command;

const DEFAULT_SINCE = '14d';
const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const TOO_QUIET =
  'Where applicationLogLevel in serverless.yml is above INFO, no record says why somebody was refused.';

export async function main({
  positionals: [given],
  values: { stage: name, since, issuer, reason },
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const reference = given?.toLowerCase();
  if (reference === undefined && since === undefined)
    throw new UnusableInput('expected a reference, or --since for a list of refusals');
  if (reference !== undefined && !UUID.test(reference))
    throw new UnusableInput(`expected a reference such as ${EXAMPLE}, found ${given}`);
  if (reference !== undefined && (issuer ?? reason) !== undefined)
    throw new UnusableInput('expected --issuer and --reason without a reference: they are for a list');
  const sinceMs = durationOf(since ?? DEFAULT_SINCE);
  const { stage, region } = stageOnAws(name);
  const logs = await openLogs(stage.name, region);
  requireSearchable(logs, reference);
  if (reference === undefined) {
    const lists = await refusalLists(logs, { sinceMs, issuer, reason });
    console.log(lists ?? `no refusal. ${TOO_QUIET}`);
    return 0;
  }
  const found = await recordsOf(logs, sinceMs, reference);
  console.log(
    found.length > 0 ? await told(found, stage) : notFound(logs, reference, since ?? DEFAULT_SINCE),
  );
  return found.length > 0 ? 0 : 1;
}

/** @param since e.g. `30m` @returns milliseconds */
function durationOf(since: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(since) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return ms;
  throw new UnusableInput(`--since: expected e.g. 30m, 12h or 14d, found ${since}`);
}

/** @throws {UnusableInput} with what to ask instead */
function requireSearchable({ groups }: LoginLogs, reference: string | undefined): void {
  const other = groups.find(({ isSearchable }) => !isSearchable);
  if (other === undefined) return;
  const ofLogin = `message.requestId = "${reference}" or record.requestId = "${reference}"`;
  const filter = reference === undefined ? REFUSAL.insights : ofLogin;
  throw new UnusableInput(
    `${other.name} is of the class Infrequent Access, which is not searched by a pattern. Ask CloudWatch Logs Insights:\n    filter ${filter} | fields @timestamp, @message`,
  );
}

/** What Lambda itself logs at the end of each invocation. */
interface Report {
  requestId?: string;
  status?: string;
  errorType?: string;
  metrics?: { durationMs?: number; memorySizeMB?: number; maxMemoryUsedMB?: number };
}

function reportIn({ type, record }: LogRecord): Report | null {
  return type === 'platform.report' ? (record as Report) : null;
}

const OWN_RECORDS = ['login', 'login_explanation'];

/** Our own and Lambda's of one login. */
function recordsOf(logs: LoginLogs, sinceMs: number, reference: string): Promise<Logged[]> {
  const id = `requestId = "${reference}"`;
  const isOwn = OWN_RECORDS.map((event) => `$.message.event = "${event}"`).join(' || ');
  return searchLogs(logs, {
    sinceMs,
    pattern: `{ ((${isOwn}) && $.message.${id}) || ($.type = "platform.report" && $.record.${id}) }`,
    // A login may have ended in the day after its record.
    isEnough: (found) => found.some(isLogin),
  });
}

function isLogin({ record }: Logged): boolean {
  return record.event === 'login';
}

async function told(found: readonly Logged[], stage: Stage): Promise<string> {
  const login = found.findLast(isLogin);
  const { functionName, atMs, record } = login ?? (found.at(-1) as Logged);
  const when = `${timeText(atMs)}, ${functionName}`;
  if (login === undefined) return `${endingOf(reportIn(record) ?? {})}\n\n${when}`;
  await prepareBundle();
  const explanation = await explained(found, login, stage);
  return `${explanation}\n\n${when}, ${await codeText(record)}`;
}

const AUTHORIZED =
  'How a login came about that is authorized is logged at level DEBUG only: applicationLogLevel in serverless.yml.';

async function explained(
  found: readonly Logged[],
  { functionName, atMs, record: { answer, handler } }: Logged,
  stage: Stage,
): Promise<string> {
  const records = found.map(({ record }) => record).filter((record) => reportIn(record) === null);
  const isExplained = records.some(({ explanation }) => explanation !== undefined);
  if (answer === 'AuthorizedUserResponse' && !isExplained) return `Authorized by ${handler}\n\n${AUTHORIZED}`;
  const loaded = { root: DIST, stage };
  const handlerModule = String(handler);
  const own = handlerModule === 'default' ? {} : await mappingOf({ functionName, handlerModule }, loaded);
  const mapping = isExplained ? own : null;
  const login = loggedLogin(records, { functionName, stage, mapping, atMs });
  return explain(login, loaded, { showsValues: false });
}

/** Whether the code that answered is this project's, of which the rules and the words are. */
async function codeText({ version }: LogRecord): Promise<string> {
  const own = await codeVersion();
  if (version === own) return `code ${version}, as this project`;
  return `code ${version ?? 'of an unknown version'}: this project has ${own}, and maybe other rules and words`;
}

/** Of a login whose function ended before it wrote a record. */
function endingOf({ status, errorType, metrics = {} }: Report): string {
  if (status === 'success') return `The function responded, and logged no login. ${TOO_QUIET}`;
  const { durationMs, memorySizeMB, maxMemoryUsedMB } = metrics;
  const memory = `${maxMemoryUsedMB} of ${memorySizeMB} MB of memory in use`;
  const found = [errorType ?? status, `after ${durationMs} ms`, memory].join(', ');
  return `Failed: Lambda ended the function: ${found}\n\nSee what its handler waits for or keeps (npx serverless logs), HANDLER_TIMEOUT_MS, and timeout and memorySize of the function.`;
}

function notFound({ groups }: LoginLogs, reference: string, since: string): string {
  return [
    `No login of the last ${since} has the reference ${reference}. These were searched:`,
    ...groups.map(({ name, retention }) => `  ${name}, which keeps records ${retention}`),
    `A login of the last minute may not be there yet. ${TOO_QUIET} Each stage and region has a log of its own.`,
  ].join('\n');
}
