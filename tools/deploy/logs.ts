/** The log groups of the functions, once `serverless` has made them. */
import { listOf, mapOf } from './exposure/values.ts';
import type { Serverless } from './service.ts';

/**
 * The role may write the logs of its functions only: `serverless` grants those of each stage whose name begins as this one's
 * does. What happened to people's logins in `prod` is still known after somebody removed the stack.
 */
export function guardLogs(serverless: Serverless): void {
  const { functions, provider } = serverless.service;
  const { Resources } = provider.compiledCloudFormationTemplate;
  const aws = serverless.getProvider('aws');
  const { naming } = aws;
  for (const name of Object.keys(functions)) {
    const group = Resources[naming.getLogGroupLogicalId(name)];
    if (group && aws.getStage() === 'prod') group.DeletionPolicy = 'Retain';
  }
  const [policy] = listOf(Resources[naming.getRoleLogicalId()]?.Properties?.Policies).map(mapOf);
  const Resource = Object.values(functions).map(({ name }) => ({
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:${naming.getLogGroupName(name)}:*`,
  }));
  // The operator's own follow on these two.
  const [making, writing] = listOf(mapOf(policy?.PolicyDocument).Statement).map(mapOf);
  if (making && writing) making.Resource = writing.Resource = Resource;
}
