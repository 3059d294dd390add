/** What CloudWatch counts of the function's own records, within its limits. */
import { describe, expect, test } from '@jest/globals';
import { PROFILE_FIELDS } from '../../lib/profile/fields.ts';
import { countsOfMissing } from '../../tools/deploy/missingFields.ts';
import { answerOf, withFunction } from '../support/bundle.ts';
import { filterPattern } from '../support/filterPattern.ts';
import { type Alarm, alarms, filtersOf, issuers, LISTED, onLambda, openId } from '../support/monitoring.ts';

const FILTERS = filtersOf({ OPENID_ISSUERS: issuers(LISTED) });
const ALARMS = alarms({ OPENID_ISSUERS: issuers(LISTED) });

describe('the limits of CloudWatch', () => {
  test('of filters: their number, their patterns, wildcards and dimensions', () => {
    expect(FILTERS.length).toBeLessThanOrEqual(100);
    for (const { FilterPattern, MetricTransformations } of FILTERS) {
      expect(() => filterPattern(FilterPattern)).not.toThrow();
      expect(FilterPattern.length).toBeLessThanOrEqual(1_024);
      expect(FilterPattern.match(/\[\*\]/g)?.length ?? 0).toBeLessThanOrEqual(1);
      const [{ Dimensions, DefaultValue }] = MetricTransformations;
      expect(Dimensions?.length ?? 0).toBeLessThanOrEqual(3);
      // A metric with dimensions cannot have a default value.
      if (Dimensions) expect(DefaultValue).toBeUndefined();
    }
  });

  test('of alarms: ten metrics, ten expressions, a week; and each metric is one that is counted', () => {
    const counted = new Set(FILTERS.map(({ MetricTransformations: [{ MetricName }] }) => MetricName));
    for (const { Metrics = [], EvaluationPeriods } of ALARMS) {
      const stats = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
      expect(stats.length).toBeLessThanOrEqual(10);
      expect(Metrics.length - stats.length).toBeLessThanOrEqual(10);
      for (const { Id } of Metrics) expect(Id).toMatch(/^[a-z]\w*$/);
      for (const { Metric, Period } of stats) {
        expect(Period * EvaluationPeriods).toBeLessThanOrEqual(7 * 24 * 60 * 60);
        if (!Metric.Namespace.startsWith('AWS/')) expect(counted).toContain(Metric.MetricName);
      }
    }
  });
});

/** The metrics that count each event's record: those without dimensions, and those by issuer. */
function countedOf(events: unknown[], env: Record<string, string>) {
  return withFunction('openidLoggedIn', { env }, async (fn) => {
    const counted: { all: string[]; byIssuer: string[] }[] = [];
    for (const event of events) {
      const line = onLambda((await answerOf(fn, event)).record);
      const matching = FILTERS.filter(({ FilterPattern }) => filterPattern(FilterPattern)(line));
      const named = (key?: string) =>
        matching
          .map(({ MetricTransformations: [metric] }) => metric)
          .filter(({ Dimensions }) => Dimensions?.[0]?.Key === key)
          .map(({ MetricName }) => MetricName);
      counted.push({ all: named(), byIssuer: named('Issuer') });
    }
    return counted;
  });
}

test('the filters match the records of the function', async () => {
  const incomplete = { email: undefined, family_name: '' };
  const missing = ['MissingEmail', 'MissingLastName'];
  const events = [
    openId({}),
    openId(incomplete),
    openId(incomplete, 'https://other.example'),
    { no: 'event' },
  ];
  const env = { OPENID_ISSUERS: issuers(LISTED) };
  expect(await countedOf(events, env)).toEqual([
    { all: ['Logins', 'Authorized', 'LookedFor'], byIssuer: ['LookedFor', 'Logins'] },
    {
      all: ['Logins', 'Errors', 'LookedFor', ...missing],
      byIssuer: ['LookedFor', ...missing, 'Logins', 'Errors'],
    },
    { all: ['Logins', 'Errors', 'LookedFor', ...missing], byIssuer: [] },
    { all: ['Logins', 'Errors'], byIssuer: [] },
  ]);
});

test('a login that fails the check of its token counts for its issuer', async () => {
  const env = { OPENID_ISSUERS: issuers(LISTED), OPENID_TOKEN_CHECK: 'on' };
  expect(await countedOf([openId({})], env)).toEqual([
    { all: ['Logins', 'Errors'], byIssuer: ['Logins', 'Errors'] },
  ]);
});

describe('the alarm about an issuer', () => {
  const other = 'https://other.example';
  const [first, second] = alarms({ OPENID_ISSUERS: issuers(LISTED, other) }).filter(({ AlarmName }) =>
    AlarmName.includes('issuer-fails'),
  ) as [Alarm, Alarm];

  test('reads the logins and errors of one issuer each', () => {
    const read = (alarm: Alarm) =>
      alarm.Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
    for (const [alarm, Value] of [
      [first, LISTED],
      [second, other],
    ] as const) {
      expect(alarm.AlarmDescription).toContain(Value);
      expect(read(alarm)).toEqual(
        ['Logins', 'Errors'].map((MetricName) => ({
          ...{ Namespace: 'login-hooks/x-openidLoggedIn', MetricName },
          Dimensions: [{ Name: 'Issuer', Value }],
        })),
      );
    }
  });

  test.each<[string, number | null, number | null, boolean]>([
    ['nobody logs in', null, null, false],
    ['all get in', 50, null, false],
    ['all but one fail', 50, 49, false],
    ['a few fail', 4, 4, false],
    ['all fail', 5, 5, true],
  ])('%s', (_, logins, errors, isRaised) => {
    const { Expression = '' } = first.Metrics[0] ?? {};
    const value = new Function('IF', 'FILL', 'logins', 'errors', `return ${Expression.replace('AND', '&&')}`);
    const ifThen = (condition: boolean, one: number, another: number) => (condition ? one : another);
    const fill = (one: number | null, instead: number) => one ?? instead;
    expect(value(ifThen, fill, logins, errors) >= first.Threshold).toBe(isRaised);
  });
});

test('only issuers that are few have an alarm', () => {
  const many = issuers(...Array.from({ length: 21 }, (_, index) => `https://i${index}.example`));
  for (const environment of [{}, { SAML_ISSUERS: issuers('urn:a') }, { OPENID_ISSUERS: many }])
    expect(alarms(environment).filter(({ AlarmName }) => AlarmName.includes('issuer-fails'))).toEqual([]);
});

test('a caller that is not the service counts as an answer alone', () => {
  const line = onLambda({ event: 'login', answer: 'ErrorResponse', reason: 'signature_wrong', status: 401 });
  const matching = FILTERS.filter(({ FilterPattern }) => filterPattern(FilterPattern)(line));
  expect(matching.map(({ MetricTransformations: [{ MetricName }] }) => MetricName)).toEqual(['Answers']);
});

test('each field has a metric that counts it, and no other field', () => {
  const login = { event: 'login', status: 200 };
  const counts = Object.entries(countsOfMissing('$.message.event = "login"'));
  for (const field of PROFILE_FIELDS) {
    const line = { message: { ...login, missingCount: 2, missing: ['other', field] } };
    const matching = counts.filter(([, pattern]) => filterPattern(`{ ${pattern} }`)(line));
    expect(matching.map(([name]) => name.replace('Missing', '').toLowerCase())).toEqual([
      'lookedfor',
      field.replaceAll('_', ''),
    ]);
  }
});

test.each<[string, Record<string, string>, number]>([
  ['no listed issuers', {}, 0],
  ['listed issuers', { OPENID_ISSUERS: issuers('https://a.example', 'https://b.example') }, 11],
  ['issuers of the other kind', { SAML_ISSUERS: issuers('urn:a') }, 0],
  [
    'too many issuers',
    { OPENID_ISSUERS: issuers(...Array.from({ length: 21 }, (_, i) => `https://i${i}.example`)) },
    0,
  ],
  ['what is not JSON', { OPENID_ISSUERS: 'x' }, 0],
])('filters by issuer, with %s', (_, environment, expected) => {
  const byIssuer = filtersOf(environment).filter(
    ({ MetricTransformations: [{ Dimensions }] }) => Dimensions?.[0]?.Key === 'Issuer',
  );
  expect(byIssuer).toHaveLength(expected);
  for (const { FilterPattern } of byIssuer) expect(FilterPattern).toContain('$.message.issuerListed IS TRUE');
});
