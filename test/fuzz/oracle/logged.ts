/** Whether what a login wrote to the log may stand there. */
import { demand } from './demand.ts';
import { isObject, type JsonObject } from './json.ts';
import { requireMissing } from './missing.ts';

/** Put into values and into names; the last character makes a name one that may not be shown. */
export const MARKER = 'MARKER-!';
const MAX_LINE = 10_000;
/** What becomes of logins where everything is set up as it should be: no mistake of ours, nothing out of reach. */
const REASON =
  /^(authorized|profile_incomplete|email_unverified|issuer_not_listed|rule_refused|groups_(unknown|ambiguous)|assurance_unknown|answer_invalid|event_invalid|content_type_not_json|(body|signature|token|assertion)_\w+)$/;

export interface LoginRecord extends JsonObject {
  answer: string;
  reason: string;
  status: number;
}

/** The login's one record; at debug level another with its trace may follow. Once a process, fields that do not leave are told. */
export function readLog(lines: readonly unknown[]): LoginRecord {
  const records = lines.map(readLine).filter(({ event }) => event !== 'answer_fields_dropped');
  const [login, ...others] = records;
  demand(login?.event === 'login', 'a login is logged');
  demand(REASON.test(String(login.reason)), `a reason that is foreseen: ${lines.join(' ')}`);
  demand(
    others.every(({ event }) => event === 'login_trace'),
    `besides a login nothing is logged but its trace: ${JSON.stringify(others)}`,
  );
  requireMissing(login, login.trace ?? others[0]?.trace);
  return login as LoginRecord;
}

/** A record as it may stand in the log, whatever it is about. */
export function readLine(line: unknown): JsonObject {
  demand(typeof line === 'string' && !/[\r\n]/.test(line), 'a log record is one line');
  demand(line.length < MAX_LINE, `a log record is shorter than ${line.length} characters`);
  const record = JSON.parse(line);
  demand(isObject(record), 'a log record is an object');
  const { issuer: _, ...rest } = record;
  demand(!JSON.stringify(rest).includes(MARKER), `nothing that was sent is logged: ${line}`);
  return record;
}
