/** Who may call over HTTP: what the ways in ask of a caller fits what the functions check, by one setting. */
const { loginFunctions } = require('./functions.cjs');

/** Events that make a way in over HTTP; what of them says that something else than the function checks who calls. */
const CLOSED_BY = {
  httpApi: ({ authorizer }) => Boolean(authorizer),
  http: ({ authorizer, private: withApiKey }) => Boolean(authorizer) || withApiKey === true,
  url: ({ authorizer }) => Boolean(authorizer),
  alb: ({ authorizer }) => Boolean(authorizer),
  websocket: ({ authorizer }) => Boolean(authorizer),
};

/** Only what arrives in an envelope has a signature that the function can check. */
const hasEnvelope = {
  httpApi: () => true,
  http: ({ integration = 'lambda-proxy', async: isAsync = false }) =>
    /^(lambda|aws)[-_]proxy$/i.test(integration) && !isAsync,
  url: () => true,
  alb: () => true,
  websocket: () => false,
};

/**
 * Takes IAM off the routes of the functions that check the caller's signature themselves, and no other's.
 *
 * @returns what is wrong: ways in that nobody would guard
 */
function authorizeRoutes(service) {
  const problems = loginFunctions(service).flatMap(({ name, fn, environment }) => {
    const check = environment.CALLER_CHECK ?? 'iam';
    return (fn.events ?? []).flatMap((event) => problemsOf(name, check, Object.entries(event)[0] ?? []));
  });
  return [...problems, ...openUrls(service.resources?.Resources)];
}

function problemsOf(name, check, [kind, options]) {
  if (!(kind in CLOSED_BY)) return [];
  if (check !== 'signature') {
    if (CLOSED_BY[kind](options)) return [];
    return [`${name}: a way in over HTTP (${kind}) has no authorizer, and CALLER_CHECK is not signature`];
  }
  if (kind === 'httpApi' && options.authorizer?.type === 'aws_iam') delete options.authorizer;
  if (CLOSED_BY[kind](options) || hasEnvelope[kind](options)) return [];
  return [
    `${name}: a way in (${kind}) has no authorizer, and brings no signature that the function could check`,
  ];
}

/** Function URLs that are written as resources of their own. */
function openUrls(resources = {}) {
  return Object.entries(resources)
    .filter(([, { Type, Properties }]) => Type === 'AWS::Lambda::Url' && Properties?.AuthType !== 'AWS_IAM')
    .map(
      ([id]) =>
        `${id}: a function URL among the resources asks nothing of its callers; expected AuthType AWS_IAM`,
    );
}

module.exports = { authorizeRoutes };
