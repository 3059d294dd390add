/** What CloudWatch counts of the records of logins, and when an alarm is raised. */
import { describe, expect, test } from '@jest/globals';
import { watch } from '../../tools/deploy/monitoring.ts';
import { filterPattern } from '../support/filterPattern.ts';

interface Resource {
  Type: string;
  Properties: {
    AlarmName: string;
    FilterPattern: string;
    MetricTransformations: { MetricName: string }[];
    Metrics?: {
      Id: string;
      Expression?: string;
      MetricStat?: { Metric: { MetricName: string }; Period: number };
    }[];
  };
}

const service = (more: object = {}) => ({
  provider: {},
  custom: { monitoring: 'on' },
  functions: { openidLoggedIn: { name: 'x-openidLoggedIn' } },
  resources: {} as { Resources?: Record<string, Resource> },
  ...more,
});
const watched = service();
watch(watched);
const resources = Object.values(watched.resources.Resources ?? {});
const ofType = (type: string) =>
  resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
const FILTERS = ofType('AWS::Logs::MetricFilter');
const ALARMS = ofType('AWS::CloudWatch::Alarm');

test('a function has five counts and four alarms', () => {
  expect(resources).toHaveLength(9);
  expect(ALARMS.map(({ AlarmName }) => AlarmName)).toEqual(
    ['errors', 'refusals', 'throttles', 'slow'].map((title) => `x-openidLoggedIn-${title}`),
  );
  for (const { FilterPattern } of FILTERS) expect(FilterPattern.length).toBeLessThanOrEqual(1_024);
});

const UNLOGGED = 'MONITORING: expected off, because logins are not logged at that applicationLogLevel';
test.each([
  [{ custom: { monitoring: 'off' } }, []],
  [{ provider: { logs: { lambda: { applicationLogLevel: 'ERROR' } } } }, [UNLOGGED]],
])('with %j nothing is made', (more, problems) => {
  const other = service(more);
  expect(watch(other).problems).toEqual(problems);
  expect(other.resources).toEqual({});
});

/** A login's record as Lambda writes it, by the names of the metrics that count it. */
const countedOf = (message: object | undefined) =>
  FILTERS.filter(({ FilterPattern }) => filterPattern(FilterPattern)(JSON.parse(JSON.stringify({ message }))))
    .flatMap(({ MetricTransformations }) => MetricTransformations)
    .map(({ MetricName }) => MetricName);
const login = (answer: string, reason: string, status = 200) => ({ event: 'login', answer, reason, status });

test.each([
  [login('AuthorizedUserResponse', 'authorized'), ['Logins', 'Authorized']],
  [login('ForbiddenResponse', 'rule_refused'), ['Logins']],
  [login('ErrorResponse', 'issuer_not_listed'), ['Logins', 'Errors']],
  [login('ErrorResponse', 'event_invalid', 422), ['Logins', 'Errors']],
  [login('ErrorResponse', 'handler_threw', 500), ['Logins', 'Errors', 'Failures']],
  [login('ErrorResponse', 'handler_timed_out', 504), ['Logins', 'Errors', 'Failures']],
  [login('ErrorResponse', 'signature_wrong', 401), []],
  [{ event: 'cold_start' }, []],
])('%j counts as %j', (record, counts) => {
  expect(countedOf(record)).toEqual(counts);
});

test.each([
  ...['groups_unknown', 'groups_ambiguous', 'assurance_unknown', 'claim_unknown', 'profile_incomplete'],
  ...['external_id_missing', 'external_id_refused', 'token_key_unknown', 'assertion_expired'],
])('%s counts as unexpected', (reason) => {
  const counts = ['Logins', 'Errors', 'Unexpected'];
  expect(countedOf(login('ErrorResponse', reason, 422))).toEqual(counts);
});

describe('an alarm', () => {
  const raised = (title: string, counts: Record<string, number>) => {
    const { Metrics = [] } = ALARMS.find(({ AlarmName }) => AlarmName.endsWith(title)) ?? {};
    const [{ Expression = '' } = {}, ...counted] = Metrics;
    const names = counted.map(({ Id }) => Id);
    // CloudWatch's words; a metric that counted nothing has no value.
    const script = Expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ');
    const value = new Function('IF', 'FILL', ...names, `return ${script}`);
    const ifThen = (condition: boolean, yes: number, no: number) => (condition ? yes : no);
    const fill = (count: number | undefined, instead: number) => count ?? instead;
    return value(ifThen, fill, ...names.map((name) => counts[name])) > 0;
  };

  test.each<[string, Record<string, number>, boolean]>([
    ['errors', {}, false],
    ['errors', { logins: 100, failures: 4, errors: 4 }, false],
    ['errors', { logins: 100, failures: 5, errors: 5 }, true],
    ['errors', { logins: 100, failures: 3, errors: 3, crashes: 2 }, true],
    ['errors', { logins: 4, errors: 4 }, false],
    ['errors', { logins: 10, errors: 5 }, false],
    ['errors', { logins: 10, errors: 6 }, true],
    ['refusals', {}, false],
    ['refusals', { logins: 4 }, false],
    ['refusals', { logins: 5 }, true],
    ['refusals', { logins: 4, crashes: 1 }, true],
    ['refusals', { logins: 500, authorized: 1 }, false],
    ['refusals', { logins: 500, authorized: 490, unexpected: 4 }, false],
    ['refusals', { logins: 500, authorized: 490, unexpected: 5 }, true],
  ])('about %s with %j: %j', (title, counts, expected) => {
    expect(raised(title, counts)).toBe(expected);
  });

  test('reckons with counts of its own period', () => {
    const periods = ALARMS.flatMap(({ Metrics = [] }) => [
      [...new Set(Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []))],
    ]);
    expect(periods).toEqual([[900], [3600], [], []]);
  });
});
