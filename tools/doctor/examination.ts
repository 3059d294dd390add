/** What the doctor looks at, and what it tells. */
import type { Stage } from '../shared/stage.ts';

export interface DoctorFinding {
  /** E.g. `discovery_issuer_differs`. */
  code: string;
  /** `finding`: logins end, or may end soon, or a guard differs from the project; `note`: worth knowing. */
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

/** What an examination found out, kept for the next run's "changed since": JSON without a secret or a personal value. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Examined {
  findings: DoctorFinding[];
  unasked: Unasked[];
  facts: Facts;
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
