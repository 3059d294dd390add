// @ts-check
/** What `serverless` loads, under any Node: the plugin itself needs a newer one. */
if (Number.parseInt(process.versions.node, 10) < 24) {
  const found = `login-hooks needs Node 24, and this is ${process.versions.node}`;
  const problem = new Error(`${found}: run npx serverless, which uses the project's own Node`);
  // By this name, `serverless` shows the sentence without a stack.
  throw Object.assign(problem, { name: 'ServerlessError' });
}

const { ServerlessPlugin } = require('./plugin.ts');

module.exports = ServerlessPlugin;
