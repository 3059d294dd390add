/** What an operator sees in CloudWatch of profile fields that providers stop sending: metrics by field, and when one rises. */
import { PROFILE_FIELDS } from '../../lib/profile/fields.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** The day and four before it, so that Monday is compared with Friday where few log in between. CloudWatch looks back 7 at most. */
const DAYS = 5;
/** In percentage points of a day's logins, compared with the day before. */
const MAX_RISE = 20;
/** Of fewer logins in a day, a few people's bad luck is a large share. */
const MIN_LOGINS_A_DAY = 50;

/** The metric's name, e.g. `MissingFirstName`. */
function metricOf(field: string): string {
  return `Missing${field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/**
 * By metric, the pattern of the records that count: `LookedFor` counts the logins in which a default handler or a mapping
 * looked for a profile.
 *
 * @param login the pattern of logins
 */
export function countsOfMissing(login: string): Record<string, string> {
  const missing = PROFILE_FIELDS.map((field) => [
    metricOf(field),
    `${login} && $.message.missing[*] = "${field}"`,
  ]);
  return { LookedFor: `${login} && $.message.missingCount >= 0`, ...Object.fromEntries(missing) };
}

/**
 * The condition of an alarm where, of a day's logins, more lack some field than on the day before. What is never sent does
 * not rise.
 *
 * @param metricStat makes the query of a metric by its name
 */
export function rising(metricStat: (metric: string) => object) {
  const hidden = (Id: string, query: object) => ({ Id, ReturnData: false, ...query });
  const metrics = PROFILE_FIELDS.map((field) =>
    hidden(`${field}_missing`, { MetricStat: { ...metricStat(metricOf(field)), Period: DAY_SECONDS } }),
  );
  const rises = PROFILE_FIELDS.map((field) =>
    hidden(field, {
      // A day with too few logins has no value, and the next one is compared with the last that has.
      Expression: `DIFF(IF(looked_for >= ${MIN_LOGINS_A_DAY}, 100 * FILL(${field}_missing, 0) / looked_for))`,
    }),
  );
  return {
    Metrics: [
      { Id: 'result', Expression: `MAX([${PROFILE_FIELDS.join(', ')}])`, ReturnData: true },
      ...rises,
      hidden('looked_for', { MetricStat: { ...metricStat('LookedFor'), Period: DAY_SECONDS } }),
      ...metrics,
    ],
    EvaluationPeriods: DAYS,
    DatapointsToAlarm: 1,
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: MAX_RISE,
  };
}
