/** What is deployed of a stage in AWS, compared with the template that was deployed and with this project. */
import { regionOf } from '../shared/awsAccess.ts';
import { alarms } from './alarms.ts';
import { Aws } from './aws.ts';
import { type DoctorFinding, type Examination, finding, type Patient } from './examination.ts';
import { functionSettings } from './functionSettings.ts';
import { projectChanges } from './packaged.ts';
import { routes } from './routes.ts';
import { secrets } from './secrets.ts';
import { deployedStack, type Stack, stackName } from './stack.ts';
import { logRetention, traffic } from './traffic.ts';
import { waysIn } from './waysIn.ts';

/** With the credentials and the region of the environment (`tools/shared/awsAccess.ts`). */
export const deployed: Examination = async (patient) => {
  const aws = new Aws(regionOf(undefined));
  const [ofSecrets, ofStack] = await Promise.all([secrets(aws, patient), stackFindings(aws, patient)]);
  return {
    findings: [...ofSecrets.findings, ...ofStack],
    unasked: aws.unasked,
    facts: { secrets: ofSecrets.facts },
  };
};

async function stackFindings(aws: Aws, patient: Patient): Promise<DoctorFinding[]> {
  const name = stackName(patient.stage);
  const stack = await deployedStack(aws, name);
  if (stack === null) return [];
  if (stack !== undefined) return ofStack(aws, stack, patient);
  const cure = `npx serverless deploy --stage ${patient.stage.name}, or set AWS_REGION`;
  return [finding('stack_missing', name, `no such stack in ${aws.region}`, cure)];
}

async function ofStack(aws: Aws, stack: Stack, { stage, nowMs }: Patient): Promise<DoctorFinding[]> {
  const found = await Promise.all([
    ...stack.loginFunctions.flatMap((fn) => [
      functionSettings(aws, stack, fn, nowMs),
      waysIn(aws, stack, fn),
      traffic(aws, fn, nowMs),
    ]),
    routes(aws, stack),
    alarms(aws, stack),
    logRetention(aws, stack),
    projectChanges(aws, stack, stage),
  ]);
  return found.flat();
}
