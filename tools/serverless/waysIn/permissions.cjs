/** Whom a permission, or a role that may call a login function, lets in. */
const { isLiteral, isMap, textOf } = require('./text.cjs');

const ACCOUNT = /^(\d{12}|\$\{AccountId\})$/;
const IDENTITY_ARN = /^arn:[^:*]+:(iam|sts)::(\d{12}|\$\{AccountId\}):[^*]+$/;
/** The account stands fifth in an ARN; the ARNs of some resources have none. */
const ARN_WITH_ACCOUNT = /^arn:[^:*]+:[^:*]+:[^:]*:(\d{12}|\$\{AccountId\}):.+$/;
const RESOURCE = /^\$\{(\w+)(\.\w*Arn)?\}(\/[^${}]*)?$/;
const SERVICE = /\.(amazonaws\.com(\.cn)?|amazon\.com)$/;
/** It signs every request that it passes on, whoever sent it. */
const CLOUDFRONT = 'cloudfront.amazonaws.com';
const IDENTITY_POOLS = 'cognito-identity.amazonaws.com';
const LOAD_BALANCER = 'elasticloadbalancing.amazonaws.com';

/** @param isBehindRule whether a listener of this template forwards to the same function, and so is judged */
function formOfPermission(permission, { template, isBehindRule }) {
  const { Principal } = permission;
  if (Principal === '*') return callsUrlAlone(permission) ? 'anybody, by function URL' : 'anybody';
  const principal = plainTextOf(Principal, template);
  if (isIdentity(principal, template)) return 'account or role';
  if (!isLiteral(Principal) || !SERVICE.test(Principal)) return 'unreadable principal';
  if (hasSource(permission, template)) {
    return Principal === CLOUDFRONT ? 'CloudFront with its source' : 'service with its source';
  }
  if (Principal === LOAD_BALANCER && isBehindRule()) return 'load balancer beside its rule';
  return 'service without its source';
}

function callsUrlAlone({ Action, InvokedViaFunctionUrl }) {
  return (
    Action === 'lambda:InvokeFunctionUrl' ||
    (Action === 'lambda:InvokeFunction' && InvokedViaFunctionUrl === true)
  );
}

function isIdentity(principal, { Resources }) {
  if (ACCOUNT.test(principal) || IDENTITY_ARN.test(principal)) return true;
  const [, id] = /^\$\{(\w+)\.Arn\}$/.exec(principal) ?? [];
  return ['AWS::IAM::Role', 'AWS::IAM::User'].includes(Resources[id]?.Type);
}

/** With names of AWS's own parameters that have no colon, as the parts of an ARN have none. */
function plainTextOf(value, template) {
  return textOf(value, template).replaceAll('AWS::', '');
}

/** Of one account: an ARN with an account, or a resource of this template. */
function hasSource({ SourceArn, SourceAccount }, template) {
  if (ACCOUNT.test(plainTextOf(SourceAccount, template))) return true;
  const source = plainTextOf(SourceArn, template);
  const [, id] = RESOURCE.exec(source) ?? [];
  return ARN_WITH_ACCOUNT.test(source) || template.Resources[id] !== undefined;
}

/** A role that anybody can assume lets anybody call what it may call. */
function formOfRole({ AssumeRolePolicyDocument }, { template }) {
  const statements = [AssumeRolePolicyDocument?.Statement].flat();
  return statements.every((one) => trustsKnown(one, template)) ? 'account or role' : 'anybody';
}

function trustsKnown(statement, template) {
  if (!isMap(statement)) return false;
  const { Effect, Principal, Condition } = statement;
  if (Effect === 'Deny') return true;
  if (!isMap(Principal)) return false;
  const { AWS = [], Service: _, Federated, ...others } = Principal;
  const areKnown = [AWS].flat().every((one) => isIdentity(plainTextOf(one, template), template));
  const isFederationKnown = Federated === undefined || identifiesPeople(Federated, Condition);
  return areKnown && isFederationKnown && Object.keys(others).length === 0;
}

/** Amazon Cognito's identity pools give roles to guests too, unless the condition says otherwise. */
function identifiesPeople(provider, condition) {
  if (!isMap(condition)) return false;
  const conditions = JSON.stringify(condition);
  if (conditions.includes('unauthenticated')) return false;
  return isLiteral(provider) && (provider !== IDENTITY_POOLS || conditions.includes('"authenticated"'));
}

module.exports = { formOfPermission, formOfRole };
