/** When Lambda's runtimes end. What else the doctor says of AWS is in `test/aws/doctor.aws.ts`. */
import { expect, test } from '@jest/globals';
import { ofRuntime } from '../../tools/doctor/aws.ts';

test.each<[string, string, string[]]>([
  ['nodejs24.x', '2027-10-31', []],
  ['nodejs24.x', '2027-11-05', ['warning runtime_ends']],
  ['nodejs24.x', '2028-05-01', ['error runtime_ends']],
  ['nodejs99.x', '2026-11-23', ['note runtime_unknown']],
])('the runtime %s on %s', (runtime, date, found) => {
  const findings = ofRuntime('fn', runtime, Date.parse(date));
  expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(found);
});
