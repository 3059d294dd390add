/** The packages of the project with known advisories, as `npm audit` knows them. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import { error, type Finding, note } from '../shared/finding.ts';
import { npm } from '../shared/programs.ts';
import { PROJECT } from '../shared/project.ts';

/** Loose: npm says more of each. */
const AuditSchema = v.object({
  vulnerabilities: v.record(v.string(), v.object({ severity: v.string(), range: v.string() })),
});
/** One try and no more: nobody waits who is offline. */
const AUDIT = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=20000'];
const FOUND = 1;
const GRAVE = ['high', 'critical'];

export async function projectFindings(): Promise<Finding[]> {
  const audited = await audit();
  if (audited === null) {
    const message =
      'known advisories were not looked up: npm is offline, its registry knows none, or there is no lock file';
    const change = 'run npm audit where the registry can be reached';
    return [note('advisories_unknown', 'npm audit', message, change)];
  }
  return Object.entries(audited).map(([name, { severity, range }]) => {
    const found = GRAVE.includes(severity) ? error : note;
    const message = `${range} has known advisories, ${severity} at most`;
    return found('advisory', name, message, 'npm audit says more; npm audit fix, and deploy');
  });
}

/** @returns null where it could not be asked */
async function audit() {
  try {
    const answer: unknown = JSON.parse(await npm(AUDIT, PROJECT, [0, FOUND]));
    return v.is(AuditSchema, answer) ? answer.vulnerabilities : null;
  } catch (failure) {
    if (failure instanceof UnusableInput || failure instanceof SyntaxError) return null;
    throw failure;
  }
}
