/** Examines a stage: all checks run side by side, and none ends another. */
import { UnusableInput } from '../shared/commandLine.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import type { ExitCode } from '../shared/process.ts';
import { inconclusive, isInconclusive } from './findings.ts';

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
