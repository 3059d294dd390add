/** How findings are made. `docs/doctor.md` says of each code what it means. */
import type { DoctorFinding, Examined, Facts } from './examination.ts';

/** Something that ends logins or may end them soon, or a guard that differs from the project. */
export function finding(code: string, subject: string, message: string, cure: string): DoctorFinding {
  return { code, level: 'finding', subject, message, cure };
}

/** Something that is worth knowing. */
export function note(code: string, subject: string, message: string, cure: string): DoctorFinding {
  return { code, level: 'note', subject, message, cure };
}

/** What nothing was found out by. @param facts kept as they were */
export function unasked(subject: string, message: string, facts: Facts = {}): Examined {
  return { findings: [], unasked: [{ subject, message }], facts };
}
