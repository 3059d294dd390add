/** What is in force in a function, in a line for people: written from its record of the cold start. */
import type { LogRecord } from '../lambda/records.ts';

/** E.g. `handler handlers/uni-staff, callers iam, assertion check off`. */
export function inForce({ handler, callerCheck, issuers, ...checks }: LogRecord): string {
  const parts = [`handler ${handler}`, `callers ${callerCheck}`];
  if (checks.openidTokenCheck !== undefined) parts.push(`ID token check ${checks.openidTokenCheck}`);
  if (checks.samlAssertionCheck !== undefined) parts.push(`assertion check ${checks.samlAssertionCheck}`);
  if (Array.isArray(issuers)) parts.push(`issuers ${issuers.join(', ')}`);
  return parts.join(', ');
}

/** Why every login would be answered with an error, as a sentence; an error of the handler's own with its stack. */
export function refusal({ reason, module, problem, problems, lookedFor, exports, error }: LogRecord): string {
  const listed = (list: unknown) => (Array.isArray(list) ? list.join(', ') : String(list));
  const said = [
    problem ?? (Array.isArray(problems) ? problems.join('; ') : reason),
    ...(lookedFor === undefined ? [] : [`looked for ${listed(lookedFor)}`]),
    ...(exports === undefined ? [] : [`found exports: ${listed(exports) || 'none'}`]),
    ...(error === undefined ? [] : [String(error)]),
  ];
  return `${module === undefined ? '' : `${module}: `}${said.join('\n  ')}`;
}
