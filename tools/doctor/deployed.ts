/** What is deployed of a stage in AWS, compared with this project; no template is read. */
import { regionOf } from '../shared/awsAccess.ts';
import { Aws } from './aws.ts';
import type { Examination } from './examination.ts';
import { functionFindings } from './functions.ts';
import { secrets } from './secrets.ts';

/** With the credentials and the region of the environment (`tools/shared/awsAccess.ts`). */
export const deployed: Examination = async (patient) => {
  const aws = new Aws(regionOf(undefined));
  const [ofSecrets, findings] = await Promise.all([
    secrets(aws, patient),
    functionFindings(aws, patient.stage, patient.nowMs),
  ]);
  return {
    findings: [...ofSecrets.findings, ...findings],
    unasked: aws.unasked,
    facts: { secrets: ofSecrets.facts },
  };
};
