/** Starts the slow files first, so that none of them is left alone in the end: without a cache, jest does not know them. */
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'tools/package',
  'growth',
  'tools/mistakes',
  'tools/start',
  'tools/check',
  'keep/planKeep',
  'fuzz/fuzz',
  'capture/command',
  'functions/customHandlers',
  'tools/settings',
  'toolkit/secrets',
  'openid/issuerKeys',
  'webhook/caller',
  'toolkit/lookUp',
  'openid/userInfo',
  'tools/login',
  'handlers',
];

const rank = ({ path }) => {
  const index = SLOW.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return index < 0 ? SLOW.length : index;
};

module.exports = class SlowestFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((one, other) => rank(one) - rank(other));
  }
};
