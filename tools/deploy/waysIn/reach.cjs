/** Which of the login functions a part of a template refers to, directly or through other resources. */
const { isInBundle, isLoginHandler } = require('./code.cjs');
const { occurrences } = require('./names.cjs');
const { PLACEHOLDER, isHidden, isLiteral, isMap, textOf } = require('./text.cjs');

/** Stands for a function that the template does not name: it may be one of ours, and then checks no signature. */
const UNKNOWN_FUNCTION = '?';
/** The version of a function on managed instances that each deployment replaces. */
const LATEST_PUBLISHED = '$LATEST.PUBLISHED';
/**
 * Resources through which others reach a function, each with the value that says which one.
 * Not among them: what guards a function by itself, such as a function URL.
 */
const CARRIERS = {
  'AWS::Lambda::Version': ({ FunctionName }) => FunctionName,
  'AWS::Lambda::Alias': ({ FunctionName }) => FunctionName,
  'AWS::SSM::Parameter': ({ Value }) => Value,
  'AWS::ApiGatewayV2::Integration': ({ IntegrationUri }) => IntegrationUri,
  'AWS::ElasticLoadBalancingV2::TargetGroup': ({ Targets }) => Targets,
  'AWS::ElasticLoadBalancingV2::Listener': ({ DefaultActions }, id, template) => [
    DefaultActions,
    ...rulesOf(id, template),
  ],
  'AWS::IAM::ManagedPolicy': ({ PolicyDocument }) => PolicyDocument,
};

/** Carriers whose value stands in the place of a function: where it is hidden, the function may be ours. */
const NAMES_A_FUNCTION = {
  'AWS::ApiGatewayV2::Integration': ({ IntegrationType }) =>
    !['HTTP_PROXY', 'HTTP', 'MOCK'].includes(IntegrationType),
  'AWS::ElasticLoadBalancingV2::TargetGroup': ({ TargetType }) =>
    ![undefined, 'instance', 'ip', 'alb'].includes(TargetType),
};

function rulesOf(listenerId, template) {
  return Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::ElasticLoadBalancingV2::ListenerRule')
    .filter(({ Properties }) => textOf(Properties?.ListenerArn, template).includes(`\${${listenerId}`))
    .map(({ Properties }) => Properties.Actions);
}

/** A map from the ids of functions to what checks their callers: `signature`, or `iam`, which holds where both are said. */
class Reach extends Map {
  add(functionId, check) {
    if (this.get(functionId) !== 'iam') this.set(functionId, check);
    return this;
  }

  addAll(other) {
    for (const [functionId, check] of other) this.add(functionId, check);
    return this;
  }

  /** Whether every function that is reached checks the signature of its callers itself. */
  get isSigned() {
    return this.size > 0 && [...this.values()].every((check) => check === 'signature');
  }
}

/** @returns by logical id: the login functions, and the other functions that run the same code, or may */
function functionsOf(template) {
  const all = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  const login = new Map(all.filter(([, { Properties }]) => runs(Properties).some(isLoginHandler)));
  const packageOf = ({ Code }) => textOf(Code?.S3Key, template);
  const packages = new Set([...login.values()].map(({ Properties }) => packageOf(Properties)));
  const others = all.filter(([id, { Properties }]) => {
    const { Handler, Code, PackageType } = Properties;
    if (login.has(id)) return false;
    const isSamePackage = packageOf(Properties) !== '' && packages.has(packageOf(Properties));
    if (isSamePackage || runs(Properties).some(isInBundle)) return true;
    const isUnreadable = !isLiteral(Handler) || isHidden(textOf(Code, template));
    return PackageType !== 'Image' && isUnreadable;
  });
  return { login, others: new Map(others) };
}

/** What may name the code that a function runs. What wraps a handler is told the handler by a variable. */
function runs({ Handler, ImageConfig, Environment }) {
  return [Handler, ImageConfig?.Command, Object.values(Environment?.Variables ?? {})].flat();
}

/**
 * Only a literal setting of the function's own counts: of anything else it is not known what it will be. On managed
 * instances, callers reach what was published last, which may have had other settings.
 */
function checkOf({ Properties }) {
  const { Environment } = Properties;
  const isSigned = isMap(Environment) && Environment.Variables?.CALLER_CHECK === 'signature';
  const isCurrent = Properties.CapacityProviderConfig === undefined || publishesItself(Properties);
  return isSigned && isCurrent ? 'signature' : 'iam';
}

/** Whether `$LATEST.PUBLISHED`, which a function on managed instances alone has, is what the template says. */
function publishesItself({ CapacityProviderConfig, PublishToLatestPublished }) {
  return CapacityProviderConfig !== undefined && PublishToLatestPublished === true;
}

/** @returns {(value: unknown, options?: {namesAFunction: boolean}) => Reach} what a value of this template refers to */
function reachIn(template, login) {
  const { Resources } = template;
  const known = new Map([...login].map(([id, fn]) => [id, new Reach([[id, checkOf(fn)]])]));
  const names = [...login].map(([id, { Properties }]) => [id, textOf(Properties.FunctionName, template)]);
  const aliases = currentAliases(template);

  const reachOf = (value, { namesAFunction = false } = {}) => {
    const text = textOf(value, template);
    const reach = new Reach();
    for (const { 1: path, index, 0: whole } of text.matchAll(PLACEHOLDER)) {
      const [id] = path.split('.');
      if (known.has(id)) addVersion(reach, id, text.slice(index + whole.length));
    }
    for (const [id, name] of names) {
      for (const rest of occurrences(text, name, namesAFunction)) addVersion(reach, id, rest);
    }
    if (namesAFunction && reach.size === 0 && isHidden(text)) reach.add(UNKNOWN_FUNCTION, 'iam');
    return reach;
  };
  const addVersion = (reach, id, rest) => {
    const [, version] = /^:([^\s:/]+)/.exec(rest) ?? [];
    const isPublished = version === LATEST_PUBLISHED && publishesItself(login.get(id)?.Properties ?? {});
    const isCurrent = version === undefined || aliases.has(version) || isPublished;
    if (!login.has(id) || isCurrent) return reach.addAll(known.get(id));
    // Another version may have had other settings when it was published.
    return reach.add(id, 'iam');
  };

  const carriers = Object.entries(Resources).filter(([, { Type }]) => Object.hasOwn(CARRIERS, Type));
  for (let size = -1; size !== sizeOf(known); ) {
    size = sizeOf(known);
    for (const [id, { Type, Properties = {} }] of carriers) {
      const namesAFunction = NAMES_A_FUNCTION[Type]?.(Properties) ?? false;
      const reach = reachOf(CARRIERS[Type](Properties, id, template), { namesAFunction });
      const isOld = Type === 'AWS::Lambda::Alias' && isStale(Properties, template);
      if (isOld) for (const fn of reach.keys()) reach.add(fn, 'iam');
      if (reach.size > 0) known.set(id, reach);
    }
  }
  return reachOf;
}

/** Grows as long as more is known: by each function that is reached, and by each that checks less than was thought. */
function sizeOf(known) {
  const checks = [...known.values()].flatMap((reach) => [...reach.values()]);
  return checks.length + checks.filter((check) => check === 'iam').length;
}

/** What stands for a function's present settings: `$LATEST`, its versions in the template, aliases of these. */
function currentAliases(template) {
  const ofType = (type) => Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  const aliases = ofType('AWS::Lambda::Alias').map(([, { Properties = {} }]) => Properties);
  const stale = new Set(aliases.filter((alias) => isStale(alias, template)).map(({ Name }) => Name));
  return new Set([
    '$LATEST',
    ...ofType('AWS::Lambda::Version').map(([id]) => `\${${id}.Version}`),
    ...aliases.map(({ Name }) => Name).filter((name) => !stale.has(name)),
  ]);
}

/** An alias of a version that the template does not publish: that version may have had other settings. */
function isStale({ FunctionVersion, RoutingConfig }, template) {
  const version = textOf(FunctionVersion, template);
  const [, id] = /^\$\{(\w+)\.Version\}$/.exec(version) ?? [];
  const isPublishedHere = template.Resources[id]?.Type === 'AWS::Lambda::Version';
  return RoutingConfig !== undefined || (version !== '$LATEST' && !isPublishedHere);
}

module.exports = { UNKNOWN_FUNCTION, functionsOf, reachIn, runs };
