/** What is in force in a function, or why it would respond to every login with an error: its record of the cold start, for people. */
import { basename } from 'node:path';
import { KINDS } from '../../lib/kinds.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import { handlerNames } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { nearest } from '../shared/commandLine.ts';
import { CHECK_NAMES, handlerVariable, kindOf } from '../shared/functions.ts';
import { CONFIGURATION } from '../shared/project.ts';
import { type LogRecord, recordsOf } from './process/logRecords.ts';

/**
 * @param failure of a process that ended, or hung: it leaves no record
 * @returns with a `reason` where every login is answered with an error
 */
export function coldStartIn(
  output: string,
  failure: { kind: string; message: string } | null,
  module?: string,
): LogRecord {
  const record = { event: 'cold_start', ...(module && { module }) };
  const problem = `${failure?.message} while it loaded the handler`;
  if (failure !== null) return { ...record, reason: failure.kind, problem };
  // The function's own is written when the handler has loaded, which may print some of that form.
  const own = recordsOf(output).findLast(({ event }) => event === 'cold_start');
  return own ?? { event: 'cold_start', reason: 'found no log record' };
}

/** E.g. `handler handlers/uni-staff, callers iam, assertion check off`. */
export function inForce(name: string, record: LogRecord): string {
  const { handler, callerCheck, issuers, requiredFields, sharedIdentifiers } = record;
  const kind = kindOf(name);
  const check = `${CHECK_NAMES[kind]} ${record[KINDS[kind].check]}`;
  const parts = [`handler ${handler}`, `callers ${callerCheck}`, check];
  if (Array.isArray(issuers)) parts.push(`issuers ${issuers.join(', ')}`);
  if (Array.isArray(requiredFields) && requiredFields.length < REQUIRABLE_FIELDS.length)
    parts.push(`required fields ${requiredFields.join(', ') || 'none'}`);
  if (sharedIdentifiers === true) parts.push('external ids of all issuers alike, without the issuer');
  return parts.join(', ');
}

const CONFIGURATION_NAME = basename(CONFIGURATION);

/** Where a setting is from, e.g. `.env.prod`; null where that is not known. */
export type SourceOf = (setting: string) => string | null;

/** Why every login would be answered with an error: a sentence for each mistake, with its setting and where that is from. */
export function refusals(name: string, record: LogRecord, sourceOf: SourceOf = () => null): string[] {
  const { reason, problems } = record;
  if (Array.isArray(problems)) return problems.map((problem) => withSource(problem, sourceOf));
  if (typeof record.module !== 'string') return [String(reason)];
  const problem = handlerProblem(record);
  // There, nobody wrote the name of the setting.
  if (sourceOf(handlerVariable(name)) === CONFIGURATION_NAME) return [`${CONFIGURATION_NAME}: ${problem}`];
  return [withSource(`${handlerVariable(name)}: ${problem}`, sourceOf)];
}

/** @param problem a sentence that begins with its setting */
export function withSource(problem: string, sourceOf: SourceOf): string {
  const source = sourceOf(/^\w+/.exec(problem)?.[0] ?? '');
  return source === null ? problem : `${source}: ${problem}`;
}

export function indented(texts: readonly string[]): string {
  return texts.join('\n').replaceAll(/^/gm, '  ');
}

/** Frames of Node and of the function itself say nothing of a mistake in a handler, and neither does the code of a mapping's error. */
const OF_OURS =
  /^ {4}at .*(\(|async |at )(node:|<anonymous>\)$|.*\/(lib|functions)\/)|^ {2}code: 'mapping_invalid'$|^}$/;

/** What is wrong with the handler that a cold start could not load: it is named as the setting has it. */
export function handlerProblem({ module: named, problem, lookedFor, exports, error }: LogRecord): string {
  const module = String(named);
  if (lookedFor !== undefined) return missingHandler(module);
  const lines = error === undefined ? [] : String(error).split('\n');
  if (lines.length > 0)
    return `${module} ${problem}:\n${indented(lines.filter((line) => !OF_OURS.test(line)))}`;
  const found = Array.isArray(exports) ? `; found exports: ${exports.join(', ') || 'none'}` : '';
  return `${module}: ${problem}${found}`;
}

/** What is said of a handler that is not there, with the nearest name: of the sources, because a command may have built a part. */
export function missingHandler(module: string): string {
  const ownName = (name: string) => name.replace(/^handlers\//, '');
  const near = nearest(ownName(withoutExtension(module)), handlerNames().map(ownName));
  const hint = near ? `the nearest is handlers/${near}` : 'expected handlers/<name> of a file in handlers/';
  return `there is no handler ${module}; ${hint}`;
}
