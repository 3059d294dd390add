/** What an operator sees in CloudWatch of a shadow handler: docs/shadow.md. */

const { OF_CODE } = require('../shared/settingNames.ts');

const DIFFERENCE = '$.message.event = "shadow_difference"';

/** By metric, the pattern of the records that count. */
const SHADOW_COUNTS = {
  ShadowCompared: `$.message.event = "shadow_same" || ${DIFFERENCE}`,
  ShadowWouldAdmit: `${DIFFERENCE} && $.message.effect = "would_admit"`,
  ShadowWouldRefuse: `${DIFFERENCE} && $.message.effect = "would_refuse"`,
  ShadowProfileDiffers: `${DIFFERENCE} && $.message.effect = "profile_differs"`,
  ShadowFailed: '$.message.event = "shadow_failed"',
  ShadowSkipped: '$.message.event = "shadow_skipped"',
};

/** Whether a function has a shadow. */
function hasShadow(environment, code) {
  return environment[OF_CODE[code].shadow] !== undefined;
}

module.exports = { SHADOW_COUNTS, hasShadow };
