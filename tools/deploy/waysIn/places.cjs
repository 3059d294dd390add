/** Where the name of a function stands in resources that call one, and are no way in of a known kind. */
const { isLiteral, isMap } = require('./text.cjs');

const PLACES = {
  'AWS::AppSync::DataSource': ['LambdaConfig.LambdaFunctionArn'],
  'AWS::Events::Rule': ['Targets.Arn'],
  'AWS::IoT::TopicRule': ['TopicRulePayload.Actions.Lambda.FunctionArn'],
  'AWS::Lambda::EventSourceMapping': ['FunctionName'],
  'AWS::Pipes::Pipe': ['Enrichment', 'Target'],
  'AWS::S3::Bucket': ['NotificationConfiguration.LambdaConfigurations.Function'],
  'AWS::Scheduler::Schedule': ['Target.Arn'],
  'AWS::SES::ReceiptRule': ['Rule.Actions.LambdaAction.FunctionArn'],
  'AWS::SNS::Subscription': ['Endpoint'],
  'AWS::VpcLattice::TargetGroup': ['Targets.Id'],
};

/** Resources of these kinds name a function only where this property says so. */
const ONLY_WHERE = {
  'AWS::SNS::Subscription': { property: 'Protocol', is: 'lambda' },
  'AWS::VpcLattice::TargetGroup': { property: 'Type', is: 'LAMBDA' },
};

/** @returns the values in these places, of which each may be a function that the template does not name */
function functionsIn({ Type, Properties }) {
  if (!Object.hasOwn(PLACES, Type)) return [];
  const { property, is } = ONLY_WHERE[Type] ?? {};
  if (isLiteral(Properties[property]) && Properties[property] !== is) return [];
  return PLACES[Type].map((path) => valueAt(Properties, path.split('.')));
}

/** In lists, of each item. What is neither a map nor a list cannot be looked into, and is the value itself. */
function valueAt(value, [name, ...rest]) {
  if (Array.isArray(value)) return value.map((item) => valueAt(item, [name, ...rest]));
  return name === undefined || !isMap(value) ? value : valueAt(value[name], rest);
}

module.exports = { functionsIn };
