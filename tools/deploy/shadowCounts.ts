/** What an operator sees in CloudWatch of a shadow handler: docs/shadow.md. */
import type { FunctionName } from '../shared/functions.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import type { Values } from './waysIn/template.ts';

const DIFFERENCE = '$.message.event = "shadow_difference"';

/** By metric, the pattern of the records that count. */
export const SHADOW_COUNTS = {
  ShadowCompared: `$.message.event = "shadow_same" || ${DIFFERENCE}`,
  ShadowWouldAdmit: `${DIFFERENCE} && $.message.effect = "would_admit"`,
  ShadowWouldRefuse: `${DIFFERENCE} && $.message.effect = "would_refuse"`,
  ShadowProfileDiffers: `${DIFFERENCE} && $.message.effect = "profile_differs"`,
  ShadowFailed: '$.message.event = "shadow_failed"',
  ShadowSkipped: '$.message.event = "shadow_skipped"',
};

/** Whether a function has a shadow. */
export function hasShadow(environment: Values, code: FunctionName): boolean {
  return environment[OF_CODE[code].shadow] !== undefined;
}
