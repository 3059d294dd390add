/** What is in force in a function, or why it would answer every login with an error: its record of the cold start, for people. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from '../build.ts';
import { HANDLER_SETTING } from '../engine/environment.ts';
import type { LogRecord } from '../lambda/records.ts';
import { nearest } from './commandLine.ts';

/** E.g. `handler handlers/uni-staff, callers iam, assertion check off`. */
export function inForce({ handler, callerCheck, issuers, ...checks }: LogRecord): string {
  const parts = [`handler ${handler}`, `callers ${callerCheck}`];
  if (checks.openidTokenCheck !== undefined) parts.push(`ID token check ${checks.openidTokenCheck}`);
  if (checks.samlAssertionCheck !== undefined) parts.push(`assertion check ${checks.samlAssertionCheck}`);
  if (Array.isArray(issuers)) parts.push(`issuers ${issuers.join(', ')}`);
  return parts.join(', ');
}

/** Where a setting is from, e.g. `.env.prod`; null where that is not known. */
export type SourceOf = (setting: string) => string | null;

/**
 * Why every login would be answered with an error: a sentence for each mistake, with its setting and where that is from.
 *
 * @param name the function's name in the bundle
 */
export function refusals(name: string, record: LogRecord, sourceOf: SourceOf = () => null): string[] {
  const { reason, problems, module } = record;
  const told = (problem: string) => {
    const source = sourceOf(/^\w+/.exec(problem)?.[0] ?? '');
    return source === null ? problem : `${source}: ${problem}`;
  };
  if (Array.isArray(problems)) return problems.map(told);
  if (typeof module !== 'string') return [String(reason)];
  return [told(`${HANDLER_SETTING[name]}: ${handlerProblem(module, record)}`)];
}

/** Two spaces before each line, of texts of one line or more. */
export function indented(texts: readonly string[]): string {
  return texts.join('\n').replaceAll(/^/gm, '  ');
}

function handlerProblem(module: string, { problem, lookedFor, exports, error }: LogRecord): string {
  if (lookedFor !== undefined) return `there is no handler ${module}${cureOf(module)}`;
  if (error !== undefined) return `${module} ${problem}:\n${ownFrames(String(error))}`;
  const found = Array.isArray(exports) ? `; found exports: ${exports.join(', ') || 'none'}` : '';
  return `${module}: ${problem}${found}`;
}

function cureOf(module: string): string {
  const handlers = globSync('**/*.mjs', { cwd: join(DIST, 'handlers') });
  const near = nearest(
    module.replace(/^handlers\//, ''),
    handlers.map((file) => file.slice(0, -'.mjs'.length)),
  );
  return near ? `; the nearest is handlers/${near}` : '; expected handlers/<name> of a file in handlers/';
}

/** Frames of Node and of the function itself say nothing of a mistake in a handler. */
function ownFrames(error: string): string {
  const lines = error
    .split('\n')
    .filter((line) => !/^ {4}at .*(\(|async |at )(node:|.*\/(lib|functions)\/)/.test(line));
  return indented(lines);
}
