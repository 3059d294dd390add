/** What CloudWatch counts of the function's own records, within its limits. */
import { describe, expect, test } from '@jest/globals';
import { PROFILE_FIELDS } from '../../lib/profile/fields.ts';
import { countsOfMissing } from '../../tools/deploy/missingFields.ts';
import { answerOf, withFunction } from '../support/bundle.ts';
import { filterPattern } from '../support/filterPattern.ts';
import { alarms, countsOf, filtersOf, issuers, LISTED, onLambda, openId } from '../support/monitoring.ts';

const FILTERS = filtersOf({ OPENID_ISSUERS: issuers(LISTED) });
const ALARMS = alarms();

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
    { all: ['Logins', 'Authorized', 'LookedFor'], byIssuer: ['LookedFor'] },
    { all: ['Logins', 'Errors', 'LookedFor', ...missing], byIssuer: ['LookedFor', ...missing] },
    { all: ['Logins', 'Errors', 'LookedFor', ...missing], byIssuer: [] },
    { all: ['Logins', 'Errors'], byIssuer: [] },
  ]);
});

const ofShadow = (names: string[]) => names.filter((name) => name.startsWith('Shadow')).sort();

test('a function that has a shadow has its metrics and its alarm, and no other has', () => {
  const env = { OPENID_SHADOW_HANDLER_MODULE: 'handlers/x' };
  const names = (alarmsOf: { AlarmName: string }[]) => alarmsOf.map(({ AlarmName }) => AlarmName);
  expect(names(alarms(env))).toEqual([...names(ALARMS), 'x-openidLoggedIn-shadow-would-admit']);
  expect(ofShadow(Object.keys(countsOf([], env)))).toEqual([
    'ShadowCompared',
    'ShadowFailed',
    'ShadowProfileDiffers',
    'ShadowSkipped',
    'ShadowWouldAdmit',
    'ShadowWouldRefuse',
  ]);
  for (const other of [{}, { SAML_SHADOW_HANDLER_MODULE: 'handlers/x' }]) {
    expect(ofShadow(Object.keys(countsOf([], other)))).toEqual([]);
    expect(names(alarms(other))).toEqual(names(ALARMS));
  }
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
  ['listed issuers', { OPENID_ISSUERS: issuers('https://a.example', 'https://b.example') }, 9],
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
