/** Ways to a function as they are in AWS, compared with those that a template has. */
import { type DoctorFinding, finding } from './examination.ts';

/** What is found in AWS by its key, and compared by its guard where it has one. */
export interface Way {
  key: string;
  guard?: string;
}

/** The same as a template has it. */
export interface ExpectedWay {
  key: RegExp;
  guard?: RegExp;
  /** For people. */
  text: string;
}

export interface Kind {
  /** The codes of findings: of what is not in the template, of what has another guard there, and of what is gone. */
  added: string;
  edited?: string;
  missing: string;
  /** E.g. `the route`. */
  what: string;
  /** How one is taken away. */
  remove: string;
}

const DEPLOY = 'add it to the project and deploy';
const RESTORE = 'restore it as the template has it: remove the stack and deploy it again, or make it by hand';

/** Of ways that are not in the template, or edited, or missing. */
export function differences(
  subject: string,
  { added, edited = added, missing, what, remove }: Kind,
  found: readonly Way[],
  expected: readonly ExpectedWay[],
): DoctorFinding[] {
  const more = found.flatMap(({ key, guard = '' }) => {
    const same = expected.filter((one) => one.key.test(key));
    if (same.some((one) => one.guard?.test(guard) ?? true)) return [];
    return same.length === 0
      ? finding(added, subject, `${what} ${key} is not in the deployed template`, `${remove}, or ${DEPLOY}`)
      : finding(
          edited,
          subject,
          `${what} ${key} has ${guard || 'nothing'} in place of what was deployed`,
          `${remove}, and ${RESTORE}`,
        );
  });
  const gone = expected
    .filter((one) => !found.some(({ key }) => one.key.test(key)))
    .map(({ text }) => finding(missing, subject, `${what} ${text} was deployed and is gone`, RESTORE));
  return [...more, ...gone];
}
