/** Whom the principals of IAM policies stand for. */
const { isHidden, isMap, textOf } = require('./text.cjs');

const ACCOUNT = /^(\d{12}|\$\{AccountId\})$/;
const IDENTITY_ARN = /^arn:[^:*]+:(iam|sts)::(\d{12}|\$\{AccountId\}):[^*]+$/;
const PROVIDER_ARN = /^arn:[^:*]+:iam::(?:\d{12}|\$\{AccountId\}):(oidc|saml)-provider\/[^*]+$/;
const IDENTITY_POOLS = 'cognito-identity.amazonaws.com';
const GOOGLE = 'accounts.google.com';
const PROVIDER_TYPES = { 'AWS::IAM::OIDCProvider': 'oidc', 'AWS::IAM::SAMLProvider': 'saml' };

/**
 * The condition keys that a trust policy must have, by kind of provider. An OIDC provider may serve the whole world, as
 * GitHub's does: `sub` says who calls. An identity pool gives credentials to guests too: `amr` says who is authenticated.
 */
const DEMANDED_KEYS = { pool: ['aud', 'amr'], oidc: ['sub'], saml: ['aud'] };
/** Operators that match where the key is there and has one of the values. `ForAllValues:` matches without the key. */
const MATCHES = /^(ForAnyValue:)?String(Equals|Like)$/;
/** A pattern without wildcards, or with two whole parts before the first: `repo:owner/*`, and not `repo:*`. */
const NARROW = /^([^*?]+|[^*?:/]+[:/][^*?:/]+[:/].*)$/;
/** `${accounts.google.com:sub}`: IAM fills it in for each request. References in a plain text have no colon. */
const IAM_VARIABLE = /\$\{[^}]*:/;

/** With names of AWS's own parameters that have no colon, as the parts of an ARN have none. */
function plainTextOf(value, template) {
  return textOf(value, template).replaceAll('AWS::', '');
}

function isAccount(value, template) {
  return ACCOUNT.test(plainTextOf(value, template));
}

/**
 * An account, a user or a role; a role of this template only where its own trust policy identifies its callers.
 *
 * @param seen ids of the roles that are being looked at: roles may trust each other
 */
function isIdentity(value, template, seen = new Set()) {
  const principal = plainTextOf(value, template);
  const here = Object.entries(template.Resources).filter((entry) => mayStandFor(entry, principal, template));
  const isNamed = ACCOUNT.test(principal) || IDENTITY_ARN.test(principal);
  return (isNamed || here.length > 0) && here.every((entry) => isIdentityHere(entry, template, seen));
}

/** Whether a principal is this user or role, by reference, or may be this role by its name. */
function mayStandFor([id, { Type, Properties }], principal, template) {
  if (principal === `\${${id}.Arn}`) return ['AWS::IAM::Role', 'AWS::IAM::User'].includes(Type);
  if (Type !== 'AWS::IAM::Role' || !IDENTITY_ARN.test(principal)) return false;
  const name = plainTextOf(Properties.RoleName, template);
  return isHidden(name) || principal.split('/').slice(1).includes(name);
}

function isIdentityHere([id, { Type, Properties }], template, seen) {
  if (Type === 'AWS::IAM::User' || seen.has(id)) return true;
  seen.add(id);
  return identifiesCallers(Properties.AssumeRolePolicyDocument, template, seen);
}

/** Whether a trust policy lets in known identities, services of AWS, and people that a provider identifies. */
function identifiesCallers(trustPolicy, template, seen) {
  return admitsOnly(trustPolicy, {
    AWS: (one) => isIdentity(one, template, seen),
    Service: () => true,
    Federated: (one, condition) => identifiesPeople(plainTextOf(one, template), condition, template),
  });
}

/** Whether a resource policy lets in known identities alone. */
function admitsIdentitiesAlone(policy, template) {
  return admitsOnly(policy, { AWS: (one) => isIdentity(one, template) });
}

/** @param isKnown by kind of principal, whether one is known, under the condition of its statement */
function admitsOnly(policy, isKnown) {
  return statementsOf(policy).every((statement) => {
    if (!isMap(statement)) return false;
    const { Effect, Principal, Condition } = statement;
    if (Effect === 'Deny') return true;
    if (!isMap(Principal)) return false;
    return Object.entries(Principal).every(
      ([kind, value]) =>
        Object.hasOwn(isKnown, kind) && [value].flat().every((one) => isKnown[kind](one, Condition)),
    );
  });
}

/** @returns the statements of a policy; where it is not written out, one that cannot be read */
function statementsOf(policy) {
  return isMap(policy) ? [policy.Statement].flat() : [undefined];
}

function identifiesPeople(provider, condition, template) {
  const keys = DEMANDED_KEYS[kindOfProvider(provider, template)] ?? [];
  return keys.length > 0 && keys.every((key) => isDemanded(key, condition, template));
}

function kindOfProvider(provider, { Resources }) {
  if (provider === IDENTITY_POOLS) return 'pool';
  if (provider === GOOGLE) return 'oidc';
  const [, id] = /^\$\{(\w+)(?:\.Arn)?\}$/.exec(provider) ?? [];
  return PROVIDER_TYPES[Resources[id]?.Type] ?? PROVIDER_ARN.exec(provider)?.[1];
}

function isDemanded(key, condition, template) {
  if (!isMap(condition)) return false;
  const operators = Object.entries(condition).filter(([name, keys]) => MATCHES.test(name) && isMap(keys));
  return operators.some(([operator, keys]) =>
    Object.entries(keys).some(([name, value]) => {
      const values = [value].flat();
      if (!name.toLowerCase().endsWith(`:${key}`) || values.length === 0) return false;
      return values.every((one) => tellsApart(key, one, operator, template));
    }),
  );
}

/**
 * Whether one value of a key leaves strangers out. It does not where CloudFormation may take the value away, nor where
 * IAM fills in what the request says.
 */
function tellsApart(key, value, operator, template) {
  if (key === 'amr') return value === 'authenticated';
  const text = plainTextOf(value, template);
  if (text.includes(`\${NoValue}`) || IAM_VARIABLE.test(text)) return false;
  return operator.endsWith('Equals') || NARROW.test(text);
}

module.exports = {
  admitsIdentitiesAlone,
  identifiesCallers,
  isAccount,
  isIdentity,
  plainTextOf,
  statementsOf,
};
