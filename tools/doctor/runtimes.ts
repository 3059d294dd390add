/**
 * The ends of Lambda's runtimes for Node.js, as AWS publishes them.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html
 */
import { DAY_MS, type DoctorFinding, finding, note } from './examination.ts';

const DEPRECATED_AT: Readonly<Record<string, string>> = {
  'nodejs18.x': '2025-09-01',
  'nodejs20.x': '2026-04-30',
  'nodejs22.x': '2027-04-30',
  'nodejs24.x': '2028-04-30',
};

/** AWS writes to the owners of functions 180 days before. */
const NOTICE_DAYS = 180;

/** @param runtime e.g. `nodejs24.x` */
export function runtimeFindings(subject: string, runtime: string, nowMs: number): DoctorFinding[] {
  const date = DEPRECATED_AT[runtime];
  const cure = 'update login-hooks to a version for a newer runtime, and deploy it';
  if (date === undefined)
    return [
      note(
        'runtime_unknown',
        subject,
        `this version of login-hooks does not know when ${runtime} ends`,
        cure,
      ),
    ];
  const days = Math.floor((Date.parse(date) - nowMs) / DAY_MS);
  if (days < 0)
    return [finding('runtime_deprecated', subject, `Lambda gives ${runtime} no updates since ${date}`, cure)];
  if (days >= NOTICE_DAYS) return [];
  return [finding('runtime_ends', subject, `Lambda deprecates ${runtime} on ${date}, in ${days} days`, cure)];
}
