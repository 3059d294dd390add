/** What an operator sees in CloudWatch of each listed issuer: its logins, and when all of them fail since a moment. */
import type { FunctionName } from '../shared/functions.ts';
import { OF_CODE } from '../shared/settingNames.ts';

/** Each issuer has metrics of its own, and each metric costs money. */
const MAX_ISSUERS = 20;
/** An issuer has fewer logins than all together. */
const PERIOD_SECONDS = 60 * 60;
/** Fewer logins in a period may all be one person's bad luck. */
const MIN_LOGINS = 5;

/** The issuers that have metrics of their own: those that the settings list, unless they are many. */
export function watchedIssuers(settings: Record<string, string>, code: FunctionName): string[] {
  const listed = settings[OF_CODE[code].issuers];
  const issuers = listed === undefined ? [] : namesIn(listed);
  return issuers.length <= MAX_ISSUERS ? issuers : [];
}

/** What is not JSON is refused later, by the check of all settings. */
function namesIn(listed: string): string[] {
  try {
    return Object.keys(JSON.parse(listed));
  } catch {
    return [];
  }
}

/**
 * The condition of an alarm where all logins of an issuer end with an error, as after a new key or a certificate that ended:
 * beside other issuers, they are too few for an alarm over all logins.
 *
 * @param Namespace of the function's metrics
 */
export function allFail(Namespace: string, issuer: string) {
  const Dimensions = [{ Name: 'Issuer', Value: issuer }];
  const counted = (Id: string, MetricName: string) => ({
    Id,
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: PERIOD_SECONDS, Stat: 'Sum' },
    ReturnData: false,
  });
  const Expression = `IF(FILL(logins, 0) >= ${MIN_LOGINS} AND FILL(errors, 0) >= FILL(logins, 0), 1, 0)`;
  return {
    Metrics: [
      { Id: 'result', Expression, ReturnData: true },
      counted('logins', 'Logins'),
      counted('errors', 'Errors'),
    ],
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    Threshold: 1,
  };
}
