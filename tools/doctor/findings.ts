/** What the doctor tells of a stage: all checks run side by side, and none ends another. `docs/doctor.md` says what each code means. */
import { UnusableInput } from '../shared/commandLine.ts';
import { type Finding, inOrder, warning } from '../shared/finding.ts';
import type { ExitCode } from '../shared/process.ts';

const INCONCLUSIVE = 'inconclusive';

/** Where something could not be asked: nobody knows whether it is well. */
export function inconclusive(subject: string, message: string): Finding {
  return warning(INCONCLUSIVE, subject, message);
}

export function isInconclusive({ code }: Finding): boolean {
  return code === INCONCLUSIVE;
}

/** It reads only: it changes nothing, and sends no login. */
export type Check = () => Promise<Finding[]>;

/**
 * @param checks by name
 * @returns errors first, each finding once
 */
export async function diagnose(checks: Readonly<Record<string, Check>>): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(checks).map(([name, check]) => check().catch((error) => [notChecked(error, name)])),
  );
  // Two issuers at one host have one certificate.
  const distinct = new Map(found.flat().map((finding) => [JSON.stringify(finding), finding]));
  return inOrder([...distinct.values()]);
}

function notChecked(error: unknown, name: string): Finding {
  if (error instanceof UnusableInput) return inconclusive(name, error.message);
  throw error;
}

export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some(isInconclusive)) return 2;
  return findings.some(({ level }) => level !== 'note') ? 1 : 0;
}
