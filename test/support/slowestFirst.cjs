/** Starts the slow files first, so that none of them is left alone in the end: without a cache, jest does not know them. */
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'deploy/package',
  'tools/start',
  'keep/keptSamples',
  'tools/check',
  'tools/mistakes',
  'keep/plan',
  'fuzz/fuzz',
  'functions/customHandlers',
  'toolkit/secrets',
  'openid/issuerKeys',
  'webhook/caller',
  'toolkit/lookUp',
  'openid/userInfo',
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
