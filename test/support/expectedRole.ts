/** The role of the functions as the template must have it, to the last action and resource. */

/** What CloudFormation puts an account's own values into. */
const sub = (arn: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:${arn}` });
const HERE = `\${AWS::Region}:\${AWS::AccountId}`;

const LOG_GROUPS = ['openidLoggedIn', 'samlLoggedIn'].map((name) =>
  sub(`logs:${HERE}:log-group:/aws/lambda/login-hooks-dev-${name}:*`),
);
const WRITE_LOGS = [
  {
    Effect: 'Allow',
    Action: ['logs:CreateLogStream', 'logs:CreateLogGroup', 'logs:TagResource'],
    Resource: LOG_GROUPS,
  },
  { Effect: 'Allow', Action: ['logs:PutLogEvents'], Resource: LOG_GROUPS },
];

/** A role that Lambda alone may take, and that may write logs, read these secrets, and do nothing else. */
export function expectedRole(secretNames: string[] = []) {
  const Resource = secretNames.map((name) => sub(`secretsmanager:${HERE}:secret:${name}-??????`));
  const readSecrets = { Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource };
  const lambda = {
    Effect: 'Allow',
    Action: ['sts:AssumeRole'],
    Principal: { Service: ['lambda.amazonaws.com'] },
  };
  const statements = Resource.length === 0 ? WRITE_LOGS : [...WRITE_LOGS, readSecrets];
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [lambda] },
      Policies: [
        {
          PolicyName: { 'Fn::Join': ['-', ['login-hooks', 'dev', 'lambda']] },
          PolicyDocument: { Version: '2012-10-17', Statement: statements },
        },
      ],
      Path: '/',
      RoleName: { 'Fn::Join': ['-', ['login-hooks', 'dev', { Ref: 'AWS::Region' }, 'lambdaRole']] },
    },
  };
}
