/** What the judge of templates knows: types that call nothing, places that call, and ways in with what each asks for. */

/**
 * `always`: something identifies the caller before the function runs. `signature`: only to functions that check the
 * service's signature themselves. `never`: the request does not arrive as HTTP with the headers that are signed.
 */
type Allowed = 'always' | 'signature' | 'never';

export interface FormOfWayIn {
  allowed: Allowed;
  says: string;
  instead: string;
  /** Whether it lets strangers call a function, whichever it is. */
  isOpen?: true;
}

/** Types that call no function. `AWS::SQS::*` stands for all types of a service. */
export const INERT: readonly string[] = [
  ...all('ApplicationAutoScaling ApplicationSignals Backup Budgets CodeDeploy DynamoDB EFS ElastiCache KMS'),
  ...all('Kinesis Oam ResourceGroups Route53 RUM ServiceCatalogAppRegistry Signer SQS WAFv2 XRay'),
  ...of('ApiGateway', 'Account ApiKey BasePathMapping BasePathMappingV2 ClientCertificate DocumentationPart'),
  ...of('ApiGateway', 'DocumentationVersion DomainName DomainNameV2 GatewayResponse Model RequestValidator'),
  ...of('ApiGateway', 'Resource UsagePlan UsagePlanKey VpcLink'),
  ...of('ApiGatewayV2', 'ApiMapping DomainName IntegrationResponse Model RouteResponse VpcLink'),
  ...of('CDK', 'Metadata'),
  ...of('CertificateManager', 'Certificate'),
  ...of('CloudFormation', 'WaitCondition WaitConditionHandle'),
  ...of(
    'CloudFront',
    'CachePolicy CloudFrontOriginAccessIdentity ContinuousDeploymentPolicy Function KeyGroup',
  ),
  ...of(
    'CloudFront',
    'KeyValueStore MonitoringSubscription OriginAccessControl OriginRequestPolicy PublicKey',
  ),
  ...of('CloudFront', 'ResponseHeadersPolicy'),
  ...of('CloudTrail', 'Trail'),
  ...of('CloudWatch', 'AnomalyDetector Dashboard InsightRule MetricStream'),
  ...of('EC2', 'DHCPOptions EgressOnlyInternetGateway EIP EIPAssociation FlowLog InternetGateway NatGateway'),
  ...of('EC2', 'NetworkAcl NetworkAclEntry PrefixList Route RouteTable SecurityGroup SecurityGroupEgress'),
  ...of('EC2', 'SecurityGroupIngress Subnet SubnetCidrBlock SubnetNetworkAclAssociation'),
  ...of('EC2', 'SubnetRouteTableAssociation VPC VPCCidrBlock VPCDHCPOptionsAssociation VPCEndpoint'),
  ...of('EC2', 'VPCGatewayAttachment VPCPeeringConnection'),
  ...of('ElasticLoadBalancingV2', 'ListenerCertificate LoadBalancer TrustStore TrustStoreRevocation'),
  ...of('Events', 'Archive EventBus EventBusPolicy'),
  // Users and groups are identities of this account, as accounts and roles are that a permission names.
  ...of(
    'IAM',
    'AccessKey Group GroupPolicy InstanceProfile OIDCProvider SAMLProvider ServiceLinkedRole User',
  ),
  ...of('IAM', 'UserPolicy UserToGroupAddition'),
  ...of('Lambda', 'CapacityProvider CodeSigningConfig LayerVersion LayerVersionPermission'),
  ...of('S3', 'BucketPolicy'),
  ...of('Scheduler', 'ScheduleGroup'),
  ...of('SNS', 'TopicInlinePolicy TopicPolicy'),
  ...of('SSM', 'Parameter'),
];

/**
 * Where resources name what they call, as paths of properties: a list stands for each of its items, `**` for all values
 * below, `*Configuration` for all properties that end so.
 *
 * `mixed`: queues, topics and the like may stand there too. `unless`: a property beside the place that says, with one of
 * these values, that no function stands there.
 */
export interface Place {
  path: string;
  mixed?: true;
  unless?: { property: string; values: readonly string[] };
}

const NO_LAMBDA_PROTOCOL = {
  property: 'Protocol',
  values: ['application', 'email', 'email-json', 'firehose', 'http', 'https', 'sms', 'sqs'],
};
const ALARM_ACTIONS: Place[] = [
  { path: 'AlarmActions', mixed: true },
  { path: 'OKActions', mixed: true },
  { path: 'InsufficientDataActions', mixed: true },
];
const NO_FUNCTION_PARAMETER = {
  property: 'ParameterName',
  values: [
    ...['BufferIntervalInSeconds', 'BufferSizeInMBs', 'CompressionFormat', 'DataMessageExtraction'],
    ...['Delimiter', 'JsonParsingEngine', 'MetadataExtractionQuery', 'NumberOfRetries', 'RoleArn'],
    'SubRecordType',
  ],
};

/** Types that do nothing but call. */
export const CALLERS: Readonly<Record<string, readonly Place[]>> = {
  'AWS::Events::Rule': [{ path: 'Targets.Arn', mixed: true }],
  'AWS::Lambda::EventInvokeConfig': [{ path: 'DestinationConfig.**', mixed: true }],
  'AWS::Lambda::EventSourceMapping': [{ path: 'FunctionName' }],
  'AWS::Scheduler::Schedule': [{ path: 'Target.Arn', mixed: true }],
  'AWS::SNS::Subscription': [{ path: 'Endpoint', unless: NO_LAMBDA_PROTOCOL }],
};

/** Types that call nothing but in these places. `AWS::Cognito::*` stands for the types that are not named here. */
export const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'AWS::CloudFront::Distribution': [
    { path: 'DistributionConfig.DefaultCacheBehavior.LambdaFunctionAssociations.LambdaFunctionARN' },
    { path: 'DistributionConfig.CacheBehaviors.LambdaFunctionAssociations.LambdaFunctionARN' },
  ],
  'AWS::CloudWatch::Alarm': ALARM_ACTIONS,
  'AWS::CloudWatch::CompositeAlarm': ALARM_ACTIONS,
  'AWS::Cognito::*': [{ path: 'LambdaConfig.**', mixed: true }, { path: 'CognitoEvents' }],
  'AWS::KinesisFirehose::DeliveryStream': [
    {
      path: '*Configuration.ProcessingConfiguration.Processors.Parameters.ParameterValue',
      unless: NO_FUNCTION_PARAMETER,
    },
  ],
  // A text of JSON names its destination.
  'AWS::Logs::AccountPolicy': [{ path: 'PolicyDocument' }],
  'AWS::Logs::*': [{ path: 'DestinationArn', mixed: true }],
  'AWS::RDS::*': [{ path: 'AssociatedRoles' }],
  'AWS::S3::Bucket': [{ path: 'NotificationConfiguration.LambdaConfigurations.Function' }],
  'AWS::SecretsManager::*': [{ path: 'RotationLambdaARN' }, { path: 'HostedRotationLambda' }],
  'AWS::SNS::Topic': [{ path: 'Subscription.Endpoint', unless: NO_LAMBDA_PROTOCOL }],
};

/** Managed policies of AWS that neither invoke functions nor lead to what does. */
export const HARMLESS_MANAGED_POLICIES: readonly string[] = [
  'AWSXRayDaemonWriteAccess',
  'AWSXrayWriteOnlyAccess',
  'CloudWatchLambdaApplicationSignalsExecutionRolePolicy',
  'CloudWatchLambdaInsightsExecutionRolePolicy',
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  'service-role/AWSCodeDeployRoleForLambda',
  'service-role/AWSCodeDeployRoleForLambdaLimited',
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AWSLambdaDynamoDBExecutionRole',
  'service-role/AWSLambdaKinesisExecutionRole',
  'service-role/AWSLambdaSQSQueueExecutionRole',
  'service-role/AWSLambdaVPCAccessExecutionRole',
  'service-role/AmazonRDSEnhancedMonitoringRole',
];

/** Scopes that providers give to everybody who logs in. */
export const SCOPES_OF_EVERYBODY: readonly string[] = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'offline_access',
  'aws.cognito.signin.user.admin',
];

const OR_SIGNATURE = ', or CALLER_CHECK=signature';
const URL = `AuthType AWS_IAM (in serverless.yml url: {authorizer: aws_iam})${OR_SIGNATURE}`;
const ROUTE = `AuthorizationType AWS_IAM (in serverless.yml httpApi: {authorizer: {type: aws_iam}})${OR_SIGNATURE}`;
const METHOD =
  `AuthorizationType AWS_IAM (in serverless.yml http: {authorizer: aws_iam})${OR_SIGNATURE} ` +
  'and an integration of type AWS_PROXY';
const SCOPE =
  `AuthorizationScopes without those that every login gets (${SCOPES_OF_EVERYBODY.join(', ')})` +
  OR_SIGNATURE;
const PRINCIPAL =
  'a Principal that is an account or a role, or apigateway.amazonaws.com with the ARN of an API of this template as SourceArn';

/** What a resource may be to a login function, and what to write instead where that is refused. */
export const FORMS = {
  identified: { allowed: 'always', says: 'asks who its caller is', instead: '' },

  'open URL': {
    allowed: 'signature',
    says: 'is a function URL that does not check its caller',
    instead: URL,
    isOpen: true,
  },
  'open route': {
    allowed: 'signature',
    says: 'is a route of an HTTP API that does not check its caller, or not clearly',
    instead: ROUTE,
    isOpen: true,
  },
  'open method': {
    allowed: 'signature',
    says: 'is a method of a REST API that does not check its caller, or only by an API key, or not clearly',
    instead: METHOD,
    isOpen: true,
  },
  'token of everybody': {
    allowed: 'signature',
    says: 'admits every token of its issuer, because it requires no scope or one that everybody has',
    instead: SCOPE,
    isOpen: true,
  },
  'any account': {
    allowed: 'signature',
    says: 'requires IAM, but its resource policy lets in callers of any account',
    instead: `a resource policy whose Principals are accounts or roles, or none${OR_SIGNATURE}`,
    isOpen: true,
  },
  'load balancer': {
    allowed: 'signature',
    says: 'forwards unidentified callers, or every person of a provider',
    instead: `a route with AuthorizationType AWS_IAM instead${OR_SIGNATURE}`,
    isOpen: true,
  },
  'open service': {
    allowed: 'never',
    says: 'does not check its caller, and calls a service, or a function without the headers of the request',
    instead: 'AuthorizationType AWS_IAM, or an integration of type AWS_PROXY with a function',
    isOpen: true,
  },
  'other API': {
    allowed: 'never',
    says: 'is a route or method of a WebSocket API, or of an API that is not in this template',
    instead: 'a route of an HTTP API, or a method of a REST API, of this template',
    isOpen: true,
  },
  body: {
    allowed: 'never',
    says: 'has a body from elsewhere, or one that does not clearly require IAM in each operation',
    instead: 'each route and method as a resource',
  },

  'for a function URL': {
    allowed: 'signature',
    says: 'lets anybody call the function by its URL',
    instead: `a function URL with AuthType AWS_IAM and no permission for *${OR_SIGNATURE}`,
    isOpen: true,
  },
  'for a load balancer': {
    allowed: 'signature',
    says: 'lets load balancers call the function',
    instead: PRINCIPAL + OR_SIGNATURE,
  },
  'for CloudFront': {
    allowed: 'signature',
    says: 'lets CloudFront call the function for anybody',
    instead: PRINCIPAL + OR_SIGNATURE,
  },
  'for anybody': {
    allowed: 'never',
    says: 'lets anybody invoke the function',
    instead: PRINCIPAL,
    isOpen: true,
  },
  'for a service': { allowed: 'never', says: 'lets a service invoke the function', instead: PRINCIPAL },
  'for the unknown': { allowed: 'never', says: 'does not say clearly whom it lets in', instead: PRINCIPAL },
  'more than invoking': {
    allowed: 'never',
    says: 'allows more than invoking the function, or does not say what',
    instead: 'Action lambda:InvokeFunction, or lambda:InvokeFunctionUrl',
  },
  'role for the unknown': {
    allowed: 'never',
    says: 'may invoke login functions or gain the right to, and does not say clearly who assumes it',
    instead:
      'a trust policy for accounts, roles, services that run your own code (lambda, ecs-tasks, ec2, codebuild), or for the ' +
      'sub of an OIDC provider; or policies that name each action, and other functions as Resource',
  },
  'policy for the unknown': {
    allowed: 'never',
    says: 'may invoke login functions or gain the right to, and does not name its roles clearly',
    instead: 'Roles as a Ref of a role of this template, or by name',
  },

  call: {
    allowed: 'never',
    says: 'calls a login function, or may',
    instead: 'another function instead: a Ref or an Arn of this template, or a literal ARN',
  },
  version: {
    allowed: 'never',
    says: 'keeps old settings',
    instead: 'nothing: serverless publishes a version with each change',
  },
  alias: {
    allowed: 'never',
    says: 'is an alias that may keep old settings',
    instead: 'a FunctionVersion that is $LATEST or a version that serverless makes, and no RoutingConfig',
  },
  deployment: {
    allowed: 'never',
    says: 'serves old routes and methods, or may',
    instead: 'AutoDeploy true for an HTTP API; for a REST API, http events of serverless; no canary',
  },
  retained: {
    allowed: 'never',
    says: 'stays after it is removed from the template',
    instead: 'no DeletionPolicy and UpdateReplacePolicy other than Delete',
  },
  'function of this code': {
    allowed: 'never',
    says: 'is another function that runs the code of this project, or may',
    instead:
      'it into a service of its own, or give it a package of its own and a literal Handler outside dist',
  },
  'wrapped handler': {
    allowed: 'never',
    says: 'should run a login function, but runs something else',
    instead: 'Handler dist/functions/<name>.handler; for a wrapper, an environment variable with that text',
  },
  hidden: {
    allowed: 'never',
    says: 'is not literal, so its resources are unknown',
    instead: 'its resources in the template itself, without transforms and loops',
  },
  'unknown type': {
    allowed: 'never',
    says: 'is of a type that may call functions',
    instead: 'it into another stack, or use other types',
  },
} as const satisfies Record<string, FormOfWayIn>;

export type FormName = keyof typeof FORMS;

function all(services: string): string[] {
  return services.split(' ').map((service) => `AWS::${service}::*`);
}

function of(service: string, types: string): string[] {
  return types.split(' ').map((type) => `AWS::${service}::${type}`);
}
