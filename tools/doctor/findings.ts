/** What the doctor tells. `docs/doctor.md` says of each code what it means. */
import type { Finding } from '../shared/finding.ts';

const finding =
  (level: Finding['level']) =>
  (code: string, subject: string, message: string, change: string): Finding => ({
    code,
    level,
    subject,
    message,
    change,
  });

/** Something that ends logins, or lets in people who should not get in. */
export const error = finding('error');
/** Something that ends logins soon. */
export const warning = finding('warning');
/** Something that is worth knowing. */
export const note = finding('note');

const INCONCLUSIVE = 'inconclusive';

/** Where something could not be asked: nobody knows whether it is well. */
export function inconclusive(subject: string, message: string): Finding {
  return { code: INCONCLUSIVE, level: 'warning', subject, message, change: null };
}

export function isInconclusive({ code }: Finding): boolean {
  return code === INCONCLUSIVE;
}

/** Thrown where no more can be found out about a subject. */
export class Stopped extends Error {
  readonly findings: readonly Finding[];

  constructor(...findings: Finding[]) {
    super('no more can be found out');
    this.findings = findings;
  }
}
