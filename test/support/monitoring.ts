/** What the deployment makes for CloudWatch, of a service with one function; and records as CloudWatch has them. */
import { expect } from '@jest/globals';
import { watch } from '../../tools/deploy/monitoring.ts';
import { openIdEvent } from './wire.ts';

export interface Filter {
  FilterPattern: string;
  MetricTransformations: [
    {
      MetricNamespace: string;
      MetricName: string;
      Dimensions?: { Key: string; Value: string }[];
      DefaultValue?: number;
    },
  ];
}

interface Query {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions?: object[] }; Period: number };
}

export interface Alarm {
  AlarmName: string;
  AlarmDescription: string;
  Metrics: Query[];
  Threshold: number;
  EvaluationPeriods: number;
}

export const LISTED = 'https://idp.example.org';
export const issuers = (...names: string[]) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, { audiences: ['client-1'] }])));

function resourcesOf<TProperties>(type: string, environment: Record<string, string> = {}): TProperties[] {
  const service = {
    provider: { environment },
    custom: { monitoring: 'on', alarmTopicArn: null },
    functions: {
      openidLoggedIn: { handler: 'dist/functions/openidLoggedIn.handler', name: 'x-openidLoggedIn' },
    },
    resources: {} as { Resources?: Record<string, { Type: string; Properties: TProperties }> },
  };
  expect(watch(service, { getNormalizedFunctionName: () => 'OpenidLoggedIn' })).toEqual([]);
  const all = Object.values(service.resources.Resources ?? {});
  return all.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
}

export const filtersOf = (environment?: Record<string, string>) =>
  resourcesOf<Filter>('AWS::Logs::MetricFilter', environment);
export const alarms = (environment?: Record<string, string>) =>
  resourcesOf<Alarm>('AWS::CloudWatch::Alarm', environment);

/** A login's record as Lambda writes it. */
export function onLambda(record: Record<string, unknown> | undefined) {
  const { level, ...message } = record ?? {};
  return JSON.parse(JSON.stringify({ timestamp: '2026-11-21T10:00:00.000Z', level, message }));
}

export function openId(claims: Record<string, unknown>, issuer = LISTED) {
  const wire = openIdEvent();
  wire.idToken.iss = issuer;
  Object.assign(wire.idToken.otherClaims, claims);
  return wire;
}
