/** The functions of this project, found by what they run and not by how a handler is spelled. */
const { posix } = require('node:path');
const { isLiteral } = require('./text.cjs');

/** Where Lambda unpacks a package. */
const TASK_ROOT = '/var/task';
const BUNDLE = `${TASK_ROOT}/dist/`;
const HANDLERS = ['openidLoggedIn', 'samlLoggedIn'].map((name) => `${BUNDLE}functions/${name}.handler`);

/** `./dist//functions/x.handler` and `/var/task/dist/functions/x.handler` run the same. */
function pathOf(handler) {
  return posix.resolve(TASK_ROOT, handler);
}

/** @param handler what stands in the place of one: a text, or an intrinsic function */
function isLoginHandler(handler) {
  return isLiteral(handler) && HANDLERS.includes(pathOf(handler));
}

function isInBundle(handler) {
  return isLiteral(handler) && pathOf(handler).startsWith(BUNDLE);
}

module.exports = { isInBundle, isLoginHandler };
