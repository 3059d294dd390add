/** Whom a permission, or a role that may call a login function, lets in. */
const { identifiesCallers, isAccount, isIdentity, plainTextOf } = require('./principals.cjs');
const { areWrittenOut } = require('./rights.cjs');
const { isLiteral } = require('./text.cjs');

/** The account stands fifth in an ARN; the ARNs of some resources have none. */
const ARN_WITH_ACCOUNT = /^arn:[^:*]+:[^:*]+:[^:]*:(\d{12}|\$\{AccountId\}):.+$/;
const RESOURCE = /^\$\{(\w+)(\.\w*Arn)?\}(\/[^${}]*)?$/;
const SERVICE = /\.(amazonaws\.com(\.cn)?|amazon\.com)$/;
/** It signs every request that it passes on, and tells nothing of who sent it. */
const CLOUDFRONT = 'cloudfront.amazonaws.com';
const LOAD_BALANCER = 'elasticloadbalancing.amazonaws.com';

/** @param isBehindRule whether a listener of this template forwards to the same function, and so is judged */
function formOfPermission(permission, { template, isBehindRule }) {
  const { Principal } = permission;
  if (Principal === '*') return callsUrlAlone(permission) ? 'anybody, by function URL' : 'anybody';
  if (isIdentity(Principal, template)) return 'account or role';
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

/** Of one account: an ARN with an account, or a resource of this template. */
function hasSource({ SourceArn, SourceAccount }, template) {
  if (isAccount(SourceAccount, template)) return true;
  const source = plainTextOf(SourceArn, template);
  const [, id] = RESOURCE.exec(source) ?? [];
  return ARN_WITH_ACCOUNT.test(source) || template.Resources[id] !== undefined;
}

/**
 * A role that anybody may assume lets anybody call what it may call. Its rights must be plain to see.
 *
 * @returns its form, or null where the role cannot call a login function
 */
function formOfRole(role, { template, id, isReached }) {
  if (identifiesCallers(role.AssumeRolePolicyDocument, template)) return 'account or role';
  return isReached || !areWrittenOut(id, role, template) ? 'role for anybody' : null;
}

module.exports = { formOfPermission, formOfRole };
