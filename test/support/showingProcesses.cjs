/** Where a test fails, what the processes of its file wrote is shown beside it. */
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.global.showProcesses?.();
  }
};
