/** What the OpenAPI body of an API asks of the callers of each operation that reaches a login function. */
const { isHidden, isLiteral, isMap, textOf } = require('./text.cjs');

const UNREADABLE = ['unreadable body'];
const NO_OPERATION = new Set(['parameters', 'servers', 'summary', 'description']);
const NO_LAMBDA_FUNCTION = /^(http|http_proxy|mock)$/i;

/** By the types of authorizers in API Gateway's extension; `token` and `request` ask a Lambda function. */
const FORM_OF_AUTHORIZER = {
  cognito_user_pools: 'Cognito',
  token: 'Lambda authorizer',
  request: 'Lambda authorizer',
};

/**
 * @param options `forms` of this kind of API, from the table of ways in; `byIam`: the form of an operation that asks for
 *   IAM; `isOurs`: whether a value refers to a login function
 * @returns the forms of the operations that reach a login function
 */
function formsOfBody(body, { forms, byIam, isOurs, template }) {
  if (!isMap(body)) return UNREADABLE;
  const { paths = {} } = body;
  if (!isMap(paths) || !Object.values(paths).every(isPath) || isOurs(schemesOf(body))) return UNREADABLE;
  const operations = Object.values(paths).flatMap(operationsOf);
  const ours = operations.filter((operation) => reaches(operation, isOurs, template));
  if (ours.length === 0 && isOurs(body)) return UNREADABLE;
  return ours.map((operation) => formOf(operation, { body, forms, byIam }));
}

function isPath(path) {
  return isMap(path) && path.$ref === undefined && operationsOf(path).every(isMap);
}

function operationsOf(path) {
  return Object.entries(path)
    .filter(([name]) => !NO_OPERATION.has(name))
    .map(([, operation]) => operation);
}

function schemesOf({ components, securityDefinitions }) {
  return components?.securitySchemes ?? securityDefinitions;
}

function reaches(operation, isOurs, template) {
  const integration = operation['x-amazon-apigateway-integration'];
  if (integration === undefined) return isOurs(operation);
  if (!isMap(integration) || integration.$ref !== undefined) return true;
  const mayInvoke = !NO_LAMBDA_FUNCTION.test(textOf(integration.type, template));
  return isOurs(operation) || (mayInvoke && isHidden(textOf(integration.uri, template)));
}

/** API Gateway reads the security of an operation, not that of the whole document. Of several, one is enough. */
function formOf(operation, { body, forms, byIam }) {
  const { security, 'x-amazon-apigateway-integration': integration } = operation;
  const alternatives = Array.isArray(security) && !isAuthTakenAway(operation) ? security : [];
  const asked = alternatives.map((alternative) => formOfAlternative(alternative, body));
  const found = asked.map((form) => (form === 'AWS_IAM' ? byIam : form));
  const open = found.find((form) => forms[form]?.allowed !== 'always');
  if (found.length > 0 && open === undefined) return found[0];
  const { type } = isMap(integration) ? integration : {};
  const isProxy = isLiteral(type) && type.toLowerCase() === 'aws_proxy';
  if ('open, not a proxy' in forms && !isProxy) return 'open, not a proxy';
  return open in forms ? open : 'open';
}

/** This extension sets the authorization of an operation too, and may go before its security. */
function isAuthTakenAway({ 'x-amazon-apigateway-auth': auth }) {
  return auth !== undefined && auth.type !== 'AWS_IAM';
}

function formOfAlternative(alternative, body) {
  const [[name, scopes] = []] = isMap(alternative) ? Object.entries(alternative) : [];
  const schemes = schemesOf(body);
  const scheme = isMap(schemes) && isMap(schemes[name]) ? schemes[name] : {};
  if (scheme['x-amazon-apigateway-authtype'] === 'awsSigv4') return 'AWS_IAM';
  const type = scheme['x-amazon-apigateway-authorizer']?.type;
  if (type === 'jwt') return areScopes(scopes) ? 'JWT with scopes' : 'JWT without scopes';
  return isLiteral(type) && Object.hasOwn(FORM_OF_AUTHORIZER, type) ? FORM_OF_AUTHORIZER[type] : 'open';
}

function areScopes(scopes) {
  return (
    Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => isLiteral(scope) && scope !== '')
  );
}

module.exports = { areScopes, formsOfBody };
