/** What the doctor says of AWS where no deployment shows it: when runtimes end, and what somebody makes by hand. */
import { expect, test } from '@jest/globals';
import { ofRuntime, ofSecret } from '../../tools/doctor/aws.ts';
import type { Aws } from '../../tools/doctor/awsRequests.ts';
import { callerFindings } from '../../tools/doctor/callers.ts';

test.each<[string, string, string[]]>([
  ['nodejs24.x', '2027-10-31', []],
  ['nodejs24.x', '2027-11-05', ['warning runtime_ends']],
  ['nodejs24.x', '2028-05-01', ['error runtime_ends']],
  ['nodejs99.x', '2026-11-23', ['note runtime_unknown']],
])('the runtime %s on %s', (runtime, date, found) => {
  const findings = ofRuntime('fn', runtime, Date.parse(date));
  expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(found);
});

/** AWS, with an answer for each right that a request needs. */
const answering = (answers: Record<string, unknown>) =>
  ({ ask: async (right: string) => answers[right] }) as unknown as Aws;

test.each<[string, object, string[]]>([
  ['a current value', { VersionIdsToStages: { a: ['AWSPREVIOUS'], b: ['AWSCURRENT'] } }, []],
  ['no current value', { VersionIdsToStages: { a: ['AWSPENDING'] } }, ['secret_missing']],
])('a secret with %s', async (_, description, found) => {
  const findings = await ofSecret(answering({ 'secretsmanager:DescribeSecret': description }), 'own/key');
  expect(findings.map(({ code }) => code)).toEqual(found);
});

const ArnLike = { 'AWS:SourceArn': 'arn:aws:execute-api:eu-central-1:123456789012:a1/*' };
const Statement = [{ Principal: { Service: 'apigateway.amazonaws.com' }, Condition: { ArnLike } }];
test.each<[string, object, string[]]>([
  ['that asks for AWS’s signature', { AuthorizationType: 'AWS_IAM' }, []],
  ['that asks for nothing', { AuthorizationType: 'NONE' }, ['route_open']],
  ['that says nothing of it', {}, ['route_open']],
])('a route %s', async (_, route, found) => {
  const answers = {
    'lambda:GetPolicy': { Policy: JSON.stringify({ Statement }) },
    'apigateway:GET': { Items: [{ RouteKey: 'POST /saml', ...route }] },
  };
  const findings = await callerFindings(answering(answers), 'fn', false);
  expect(findings.map(({ code }) => code)).toEqual(found);
});
