/** Packages of the project with known advisories, as `npm audit` knows them. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import { npm } from '../shared/npm.ts';
import { PROJECT } from '../shared/project.ts';
import { type DoctorFinding, note } from './examination.ts';

/** Loose: npm says more of each. */
const AuditSchema = v.object({
  vulnerabilities: v.record(v.string(), v.object({ severity: v.string(), range: v.string() })),
});
/** One try and no more: nobody waits who is offline. */
const AUDIT = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=20000'];
const FOUND = 1;
const GRAVE = ['high', 'critical'];

export async function advisories(): Promise<DoctorFinding[]> {
  const audited = await audit();
  if (audited === null)
    return [
      note(
        'advisories_unknown',
        'npm audit',
        'known advisories were not looked up: npm is offline, its registry knows none, or there is no lock file',
        'run npm audit where the registry can be reached',
      ),
    ];
  return Object.entries(audited).map(([name, { severity, range }]) => ({
    code: 'advisory',
    level: GRAVE.includes(severity) ? 'finding' : 'note',
    subject: name,
    message: `${range} has known advisories, ${severity} at most`,
    cure: 'npm audit says more; npm audit fix, or update login-hooks, and deploy',
  }));
}

/** @returns null where it could not be asked */
async function audit() {
  try {
    const answer: unknown = JSON.parse(await npm(AUDIT, PROJECT, [0, FOUND]));
    return v.is(AuditSchema, answer) ? answer.vulnerabilities : null;
  } catch (error) {
    if (error instanceof UnusableInput || error instanceof SyntaxError) return null;
    throw error;
  }
}
