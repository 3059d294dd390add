/**
 * `login-hooks why`: why somebody was refused, out of the log of the deployed functions. Values are not in it, and are not asked
 * for. Exit code 1 where no login has the reference.
 */
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { REASONS } from '../../lib/reasons.ts';
import { UUID } from '../../lib/text.ts';
import { DIST, prepareBundle } from '../bundle/build.ts';
import { codeVersion } from '../deploy/codeVersion.ts';
import { loggedLogin } from '../explain/loggedLogin.ts';
import { type Loaded, mappingOf } from '../local/mappingOf.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { accessAws, REGION, regionOf } from '../shared/awsAccess.ts';
import { type Arguments, UnusableInput, wholeNumber } from '../shared/commandLine.ts';
import { counted, timeText } from '../shared/readable.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { cardText, explain } from './explain.ts';
import { DAY_MS, type Logged, LoginLogs, type Span } from './loginLogs.ts';
import { isLogin, REFUSAL, refusalLists } from './refusals.ts';

const EXAMPLE = '8740a637-0c5c-4b0e-9d0b-1f6f6f0f5a11';

export const COMMAND = {
  name: 'why',
  purpose: 'says why somebody was refused, by the reference of the message',
  positionals: [
    { name: '<reference>', about: `e.g. ${EXAMPLE}; without it, refusals are listed`, isOptional: true },
  ],
  options: {
    stage: { type: 'string', value: '<stage>', default: 'dev', about: 'the stage that is deployed' },
    region: REGION,
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
const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };
const MAX_SINCE = 9_999;

const TOO_QUIET =
  'Where applicationLogLevel in serverless.yml is above INFO, no record says why somebody was refused.';

export async function main({
  positionals: [given],
  values: { since, issuer, reason, ...values },
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const reference = given?.toLowerCase();
  if (reference === undefined && since === undefined)
    throw new UnusableInput('expected a reference, or --since for a list of refusals');
  if (reference !== undefined && !UUID.test(reference))
    throw new UnusableInput(`expected a reference such as ${EXAMPLE}, found ${given}`);
  if (reference !== undefined && (issuer ?? reason) !== undefined)
    throw new UnusableInput('expected --issuer and --reason without a reference: they are for a list');
  const toMs = Date.now();
  const span = { fromMs: toMs - durationOf(since ?? DEFAULT_SINCE), toMs };
  const stage = new Stage(values.stage, process.env, { mayBeDeployed: true });
  accessAws(stage);
  const logs = await LoginLogs.open(stage.name, regionOf(values.region));
  requireSearchable(logs, reference);
  if (reference === undefined) {
    console.log((await refusalLists(logs, span, { issuer, reason })) ?? `no refusal. ${TOO_QUIET}`);
    return 0;
  }
  const found = await recordsOf(logs, span, reference);
  if (found.length > 0) await tell(found, stage);
  else console.log(notFound(logs, reference, since ?? DEFAULT_SINCE));
  return found.length > 0 ? 0 : 1;
}

/** @param since e.g. `30m` @returns milliseconds */
function durationOf(since: string): number {
  const unit = UNITS_MS[since.slice(-1)];
  if (unit === undefined) throw new UnusableInput(`--since: expected e.g. 30m, 12h or 14d, found ${since}`);
  return wholeNumber('--since', since.slice(0, -1), 1, MAX_SINCE) * unit;
}

/** @throws {UnusableInput} with what to ask instead */
function requireSearchable({ groups }: LoginLogs, reference: string | undefined): void {
  const other = groups.find(({ isSearchable }) => !isSearchable);
  if (other === undefined) return;
  const ofLogin = `message.requestId = "${reference}" or record.requestId = "${reference}"`;
  throw new UnusableInput(
    [
      `${other.name} is of the class Infrequent Access, which is not searched by a pattern. Ask CloudWatch Logs Insights:`,
      `    filter ${reference === undefined ? REFUSAL.insights : ofLogin} | fields @timestamp, @message`,
    ].join('\n'),
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

/** How long a function of Lambda may run. */
const MAX_LOGIN_MS = 15 * 60_000;
const OWN_RECORDS: readonly unknown[] = ['login', 'login_explanation'];

/** Our own and Lambda's of one login. */
function recordsOf(logs: LoginLogs, span: Span, reference: string): Promise<Logged[]> {
  const id = `requestId = "${reference}"`;
  const isOwn = OWN_RECORDS.map((event) => `$.message.event = "${event}"`).join(' || ');
  return logs.search(span, {
    pattern: `{ ((${isOwn}) && $.message.${id}) || ($.type = "platform.report" && $.record.${id}) }`,
    isWanted: (record) =>
      (OWN_RECORDS.includes(record.event) ? record.requestId : reportIn(record)?.requestId) === reference,
    // A login may begin in the day before its end.
    isEnough: (found, startMs) =>
      found.some(({ record, atMs }) => isLogin(record) || atMs - startMs > MAX_LOGIN_MS),
  });
}

async function tell(found: readonly Logged[], stage: Stage): Promise<void> {
  const login = found.findLast(({ record }) => isLogin(record));
  const records = found.map(({ record }) => record).filter((record) => reportIn(record) === null);
  const { functionName, atMs, record } = login ?? (found.at(-1) as Logged);
  const when = `${timeText(atMs)}, ${functionName}`;
  if (login === undefined) {
    console.log(`${endingOf(reportIn(record) ?? {})}\n\n${when}`);
    return;
  }
  // A default handler of an unknown version is explained without the bundle.
  if (record.version !== undefined || record.handler !== 'default') await prepareBundle();
  const explanation = await explained(records, { functionName, atMs, stage });
  console.log(`${explanation}\n\n${when}, ${await codeText(record)}`);
}

const AUTHORIZED =
  'How a login came about that is authorized is logged at level DEBUG only: applicationLogLevel in serverless.yml.';

async function explained(
  records: readonly LogRecord[],
  { functionName, atMs, stage }: { functionName: string; atMs: number; stage: Stage },
): Promise<string> {
  const { answer, handler = '' } = records.findLast(isLogin) ?? {};
  const isExplained = records.some(({ explanation }) => explanation !== undefined);
  if (answer === 'AuthorizedUserResponse' && !isExplained) return `Authorized by ${handler}\n\n${AUTHORIZED}`;
  const loaded = { root: DIST, stage };
  const mapping = isExplained ? await mappingBy(String(handler), functionName, loaded) : null;
  const login = loggedLogin(records, { functionName, stage, mapping });
  return explain(login, loaded, { atMs, showsValues: false });
}

/** @returns null for a handler of plain code */
async function mappingBy(handler: string, functionName: string, loaded: Loaded): Promise<Mapping | null> {
  if (handler === 'default') return {};
  return mappingOf({ functionName, handlerModule: handler }, loaded);
}

/** Whether the code that answered is this project's, of which the rules and the words are. */
async function codeText({ version }: LogRecord): Promise<string> {
  if (version === undefined) return 'code of an unknown version';
  const own = await codeVersion();
  if (version === own) return `code ${version}, as this project`;
  return `code ${version}: this project has other code, ${own}, and maybe other rules and words`;
}

/** Of a login whose function ended before it wrote a record. */
function endingOf({ status, errorType = '', metrics = {} }: Report): string {
  const { durationMs, memorySizeMB = 0, maxMemoryUsedMB = 0 } = metrics;
  const memory = `${maxMemoryUsedMB} of ${memorySizeMB} MB of memory were in use`;
  const isFull = memorySizeMB > 0 && maxMemoryUsedMB >= memorySizeMB;
  if (status === 'success')
    return ending('The function responded, and logged no login', TOO_QUIET, 'Deploy it with level INFO.');
  if (status === 'timeout')
    return ending(
      'Failed: the function had no time left',
      `no response after ${durationMs} ms`,
      'See what the handler waits for, HANDLER_TIMEOUT_MS, and timeout of the function.',
    );
  if (isFull || errorType.includes('OutOfMemory'))
    return ending(
      'Failed: the function had no memory left',
      memory,
      'Have the handler keep less, or raise memorySize of the function.',
    );
  return ending(
    'Failed: the process of the function ended',
    [errorType, memory].filter(Boolean).join(', '),
    'See what it wrote before: npx serverless logs.',
  );
}

function ending(sentence: string, found: string, change: string): string {
  const rows = [
    { title: 'Found', text: found, at: null },
    { title: 'Change', text: change, at: null },
  ] as const;
  return `${sentence}\n\n${cardText(rows, false)}`;
}

function notFound({ groups }: LoginLogs, reference: string, since: string): string {
  return [
    `No login of the last ${since} has the reference ${reference}. These were searched:`,
    ...groups.map(({ name, retentionDays }) => {
      const kept = retentionDays === null ? 'for ever' : `for ${counted(retentionDays, 'day')}`;
      return `  ${name}, which keeps records ${kept}`;
    }),
    `A login of the last minute may not be there yet. ${TOO_QUIET} Each stage and region has a log of its own.`,
  ].join('\n');
}
