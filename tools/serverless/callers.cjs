/** Who may call over HTTP: what the routes ask of a caller fits what the functions check, by one setting. */

/** Events that make a way in over HTTP; what of them says that AWS checks who calls. */
const CLOSED_BY = {
  httpApi: ({ authorizer }) => Boolean(authorizer),
  http: ({ authorizer, private: withApiKey }) => Boolean(authorizer) || withApiKey === true,
  url: ({ authorizer }) => Boolean(authorizer),
};

/**
 * Takes IAM off the routes of the functions that check the caller's signature themselves, and no other's.
 *
 * @returns what is wrong: a way in that nobody would guard
 */
function authorizeRoutes({ provider, functions }) {
  const problems = [];
  for (const [name, fn] of Object.entries(functions)) {
    const check = { ...provider.environment, ...fn.environment }.CALLER_CHECK ?? 'iam';
    for (const event of fn.events ?? []) {
      const [kind, options] = Object.entries(event)[0] ?? [];
      if (check === 'signature') {
        if (kind === 'httpApi' && options.authorizer?.type === 'aws_iam') delete options.authorizer;
      } else if (CLOSED_BY[kind]?.(options) === false) {
        problems.push(
          `${name}: a way in over HTTP (${kind}) has no authorizer, and CALLER_CHECK is not signature`,
        );
      }
    }
  }
  return problems;
}

module.exports = { authorizeRoutes };
