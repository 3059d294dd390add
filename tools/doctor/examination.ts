/** What the doctor looks at, and what it tells. `docs/doctor.md` says of each code what it means. */
import type { Stage } from '../shared/stage.ts';

export const DAY_MS = 86_400_000;

export interface DoctorFinding {
  /** E.g. `discovery_issuer_differs`. */
  code: string;
  level: 'finding' | 'note';
  /** What it is about: an issuer, an entity id, a secret's id, a function's name, a file. */
  subject: string;
  /** A sentence, without a secret or a personal value. */
  message: string;
  /** What to do. */
  cure: string;
}

/** What could not be asked, e.g. because credentials are missing. */
export interface Unasked {
  subject: string;
  message: string;
}

export interface Diagnosis {
  findings: DoctorFinding[];
  unasked: Unasked[];
}

/** What an examination found out, kept for the next run's "changed since": JSON without a secret or a personal value. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Examined<TFacts = Facts> extends Diagnosis {
  facts: TFacts;
}

export interface Patient {
  stage: Stage;
  /** Milliseconds since 1970. */
  nowMs: number;
  /** Of the last run; empty at the first. */
  before: Facts;
}

/** It reads alone: it changes nothing, trusts no new key and sends no login. */
export type Examination = (patient: Patient) => Promise<Examined>;

/** Something that ends logins or may end them soon, or a guard that differs from the project. */
export function finding(code: string, subject: string, message: string, cure: string): DoctorFinding {
  return { code, level: 'finding', subject, message, cure };
}

/** Something that is worth knowing. */
export function note(code: string, subject: string, message: string, cure: string): DoctorFinding {
  return { code, level: 'note', subject, message, cure };
}

/** Where nothing could be found out. */
export function unasked(subject: string, message: string): Diagnosis {
  return { findings: [], unasked: [{ subject, message }] };
}
