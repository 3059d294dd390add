/** Examines a stage in parallel, and keeps what was found out for the next run. */
import { UnusableInput } from '../shared/commandLine.ts';
import type { Stage } from '../shared/stage.ts';
import {
  type Diagnosis,
  type DoctorFinding,
  type Examination,
  type Examined,
  type Patient,
  unasked,
} from './examination.ts';
import { type FactsByName, readFacts, writeFacts } from './facts.ts';

export interface DoctorOptions {
  stage: Stage;
  /** By name. */
  examinations: Readonly<Record<string, Examination>>;
  /** Of facts. */
  file: string;
  /** Milliseconds since 1970. */
  nowMs?: number;
}

/**
 * @returns findings before notes, each once
 * @throws {UnusableInput} for a file of facts that cannot be used
 */
export async function diagnose({
  stage,
  examinations,
  file,
  nowMs = Date.now(),
}: DoctorOptions): Promise<Diagnosis> {
  const facts = await readFacts(file);
  const examined = await Promise.all(
    Object.entries(examinations).map(async ([name, examination]) => {
      const patient: Patient = { stage, nowMs, before: facts[name] ?? {} };
      return [
        name,
        await examination(patient).catch((error) => notAsked(error, name, patient.before)),
      ] as const;
    }),
  );
  const unwritten = await writeFacts(file, { ...facts, ...factsOf(examined) }).then(
    () => [],
    ({ code }: NodeJS.ErrnoException) => [
      { subject: file, message: `The facts cannot be written (${code}).` },
    ],
  );
  const all = examined.flatMap(([, one]) => one.findings);
  return {
    findings: distinct(all).toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
    unasked: [...distinct(examined.flatMap(([, one]) => one.unasked)), ...unwritten],
  };
}

const LEVELS: readonly DoctorFinding['level'][] = ['finding', 'note'];

/** What one examination cannot use ends none of the others. */
function notAsked(error: unknown, name: string, before: Examined['facts']): Examined {
  if (error instanceof UnusableInput) return { ...unasked(name, error.message), facts: before };
  throw error;
}

function factsOf(examined: readonly (readonly [string, Examined])[]): FactsByName {
  return Object.fromEntries(examined.map(([name, { facts }]) => [name, facts]));
}

/** Two issuers at one host have one certificate. */
function distinct<TItem>(items: readonly TItem[]): TItem[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
