/**
 * The ways in to a login function: what forms each has, and with which `CALLER_CHECK` a form is allowed.
 *
 * `always`: something identifies the caller before the function runs. `signature`: only to functions that check the
 * service's signature themselves. `never`: the request does not arrive as HTTP with the headers that are signed.
 */
const ALWAYS = 'always';
const SIGNATURE = 'signature';
const NEVER = 'never';

const UNREADABLE_BODY = {
  allowed: NEVER,
  says: 'has an OpenAPI body that cannot be read',
  instead:
    'the document as the property Body, with its paths, operations, security and securitySchemes written out',
};

const WAYS_IN = {
  functionUrl: {
    types: ['AWS::Lambda::Url'],
    name: 'a function URL',
    instead: 'AuthType AWS_IAM (in serverless.yml url: {authorizer: aws_iam}), or CALLER_CHECK=signature',
    forms: {
      AWS_IAM: { allowed: ALWAYS },
      NONE: { allowed: SIGNATURE, says: 'asks nothing of its callers, because its AuthType is not AWS_IAM' },
    },
  },
  httpApi: {
    types: ['AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Api'],
    name: 'an HTTP API',
    instead:
      'a route of an HTTP API with AuthorizationType AWS_IAM, JWT with AuthorizationScopes, or CUSTOM, each written out' +
      ' (in serverless.yml httpApi: {authorizer: {type: aws_iam}}), or CALLER_CHECK=signature',
    forms: {
      AWS_IAM: { allowed: ALWAYS },
      'JWT with scopes': { allowed: ALWAYS },
      'Lambda authorizer': { allowed: ALWAYS },
      open: { allowed: SIGNATURE, says: 'has a route without an authorizer' },
      'JWT without scopes': {
        allowed: SIGNATURE,
        says: 'has a route that admits every token of its issuer, because it demands no scope',
      },
      'quick create': { allowed: SIGNATURE, says: 'is made by Target, with a route that has no authorizer' },
      WebSocket: { allowed: NEVER, says: 'is made for WebSockets, whose messages cannot be signed' },
      'unreadable body': UNREADABLE_BODY,
    },
  },
  restApi: {
    types: ['AWS::ApiGateway::Method', 'AWS::ApiGateway::RestApi'],
    name: 'a REST API',
    instead:
      'AuthorizationType AWS_IAM, COGNITO_USER_POOLS or CUSTOM, written out (in serverless.yml http: {authorizer: aws_iam}),' +
      ' or CALLER_CHECK=signature and an integration of type AWS_PROXY',
    forms: {
      AWS_IAM: { allowed: ALWAYS },
      Cognito: { allowed: ALWAYS },
      'Lambda authorizer': { allowed: ALWAYS },
      open: { allowed: SIGNATURE, says: 'has a method without an authorizer' },
      'API key alone': {
        allowed: SIGNATURE,
        says: 'has a method with an API key alone, which identifies no caller',
      },
      'any account': {
        allowed: SIGNATURE,
        says: 'has a method for IAM and a resource policy that lets in callers of any account',
        instead:
          'as each Principal of the resource policy an account or a role, or no resource policy,' +
          ' or CALLER_CHECK=signature and an integration of type AWS_PROXY',
      },
      'open, not a proxy': {
        allowed: NEVER,
        says: 'has a method that identifies no caller, and whose integration passes no headers on',
      },
      'unreadable body': UNREADABLE_BODY,
    },
  },
  loadBalancer: {
    types: ['AWS::ElasticLoadBalancingV2::ListenerRule', 'AWS::ElasticLoadBalancingV2::Listener'],
    name: 'a load balancer',
    instead:
      'an action authenticate-oidc or authenticate-cognito before the forward action, each with its Order, and' +
      ' OnUnauthenticatedRequest deny or authenticate (in serverless.yml alb: {authorizer: [...]}), or CALLER_CHECK=signature',
    forms: {
      'authenticate-oidc': { allowed: ALWAYS },
      'authenticate-cognito': { allowed: ALWAYS },
      open: { allowed: SIGNATURE, says: 'forwards requests that nothing has authenticated' },
    },
  },
  permission: {
    types: ['AWS::Lambda::Permission', 'AWS::IAM::Role'],
    name: 'a permission',
    instead:
      'as its Principal an account, a role, or a service with the SourceArn or SourceAccount that it calls for, each written out',
    forms: {
      'account or role': { allowed: ALWAYS },
      'service with its source': { allowed: ALWAYS },
      'load balancer beside its rule': { allowed: ALWAYS },
      'anybody, by function URL': {
        allowed: SIGNATURE,
        says: 'lets anybody call the function by its URL',
        instead: 'a function URL with AuthType AWS_IAM and no permission for *, or CALLER_CHECK=signature',
      },
      'CloudFront with its source': {
        allowed: SIGNATURE,
        says: 'lets CloudFront call the function for anybody',
        instead: 'CALLER_CHECK=signature',
      },
      'service without its source': {
        allowed: NEVER,
        says: 'lets a service call the function for every account of AWS',
      },
      anybody: { allowed: NEVER, says: 'lets anybody invoke the function' },
      'role for anybody': {
        allowed: NEVER,
        says: 'lets anybody assume a role that invokes the function, or may',
        instead:
          'a trust policy that names accounts, roles or services, or that demands sub of an OIDC provider, or aud and amr' +
          ' (authenticated) of an identity pool; or policies that name each action and each resource, without wildcards',
      },
      'unreadable principal': { allowed: NEVER, says: 'does not say whom it lets in' },
    },
  },
  other: {
    types: [],
    name: 'a resource',
    instead: 'an HTTP API, a REST API, a function URL or a load balancer whose callers are identified',
    forms: {
      'unknown kind': {
        allowed: NEVER,
        says: 'refers to a login function, and whom it lets in is not known',
      },
      'another function of this code': {
        allowed: NEVER,
        says: 'is another function that runs the code of this project, or may',
        instead:
          'a service of its own for it, or a package of its own and a Handler outside dist, written out',
      },
      'wrapped handler': {
        allowed: NEVER,
        says: 'should run a login function, and runs something else, so that the ways in to it are not known',
        instead:
          'Handler dist/functions/<name>.handler, or a variable of its environment with that text for what wraps it',
      },
      'hidden content': {
        allowed: NEVER,
        says: 'brings resources that the template does not show',
        instead: 'these resources in the template itself, without transforms, modules and nested stacks',
      },
    },
  },
};

/**
 * Resources that may refer to a login function and are no way in, each with the reason; `unless`: properties in which
 * the reference would be one.
 */
const HARMLESS = {
  'AWS::Lambda::Function': { because: 'what it does with the name of a function takes a right of its role' },
  'AWS::Lambda::Version': { because: 'a name of a function' },
  'AWS::Lambda::Alias': { because: 'a name of a function' },
  'AWS::Lambda::EventInvokeConfig': {
    because: 'says how often Lambda tries again',
    unless: ['DestinationConfig'],
  },
  'AWS::ApplicationAutoScaling::ScalableTarget': { because: 'changes provisioned concurrency alone' },
  'AWS::ApplicationAutoScaling::ScalingPolicy': { because: 'changes provisioned concurrency alone' },
  'AWS::ApiGatewayV2::Integration': { because: 'its routes are judged' },
  'AWS::ElasticLoadBalancingV2::TargetGroup': { because: 'the listeners that forward to it are judged' },
  'AWS::ElasticLoadBalancingV2::ListenerCertificate': { because: 'lets nobody in' },
  'AWS::IAM::ManagedPolicy': { because: 'a right of identities in this account' },
  'AWS::IAM::Policy': { because: 'a right of identities in this account' },
  'AWS::IAM::RolePolicy': { because: 'a right of identities in this account' },
  'AWS::IAM::User': { because: 'an identity in this account' },
  'AWS::IAM::UserPolicy': { because: 'a right of identities in this account' },
  'AWS::IAM::Group': { because: 'identities in this account' },
  'AWS::IAM::GroupPolicy': { because: 'a right of identities in this account' },
  'AWS::Logs::LogGroup': { because: 'keeps what the function writes' },
  'AWS::Logs::LogStream': { because: 'keeps what the function writes' },
  'AWS::Logs::MetricFilter': { because: 'counts what the function writes' },
  'AWS::Logs::QueryDefinition': { because: 'searches what the function writes' },
  'AWS::Logs::SubscriptionFilter': {
    because: 'passes on what the function writes',
    unless: ['DestinationArn'],
  },
  'AWS::CloudTrail::Trail': { because: 'records calls' },
  'AWS::CloudWatch::Alarm': {
    because: 'watches a metric',
    unless: ['AlarmActions', 'OKActions', 'InsufficientDataActions'],
  },
  'AWS::CloudWatch::CompositeAlarm': {
    because: 'watches alarms',
    unless: ['AlarmActions', 'OKActions', 'InsufficientDataActions'],
  },
  'AWS::CloudWatch::AnomalyDetector': { because: 'watches a metric' },
  'AWS::CloudWatch::Dashboard': { because: 'shows metrics; what it calls takes a right of its viewer' },
  'AWS::SSM::Parameter': { because: 'a name of a function' },
};

/** Kinds of resources that become others while CloudFormation works, by how their types begin or end. */
const HIDES_OTHERS =
  /^AWS::CloudFormation::(Stack|StackSet)$|^AWS::ServiceCatalog::CloudFormationProvisionedProduct$|^AWS::Serverless::|::MODULE$/;

module.exports = { HARMLESS, HIDES_OTHERS, WAYS_IN };
