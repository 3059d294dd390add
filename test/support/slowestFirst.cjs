/** Starts the slow files first, so that none of them is left alone in the end: without a cache, jest does not know them. */
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'tools/ownProject',
  'tools/start',
  'tools/create',
  'tools/check',
  'tools/mistakes',
  'deploy/package',
  'tools/kinds',
  'local/pool',
  'doctor/command',
  'keep/keptSamples',
  'tools/review',
  'deploy/exposure',
  'fuzz/any',
  'docs/code',
  'capture/harm',
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
