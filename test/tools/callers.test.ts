/** Whether IAM stays on the routes, or the functions check their callers. */
import { expect, test } from '@jest/globals';
import { authorizeRoutes } from '../../tools/deploy/callers.ts';

interface Settings {
  provider?: Record<string, string>;
  fn?: Record<string, string>;
  handler?: string;
}

function authorized(event: object, { provider = {}, fn = {}, handler = HANDLER }: Settings = {}) {
  const events = [structuredClone(event)];
  const functions = { openidLoggedIn: { handler, name: 'openid', environment: fn, events } };
  authorizeRoutes({ provider: { environment: provider }, functions });
  return events[0];
}

const HANDLER = 'dist/functions/openidLoggedIn.handler';
const IAM_ROUTE = { httpApi: { method: 'POST', path: '/openid', authorizer: { type: 'aws_iam' } } };
const OPEN_ROUTE = { httpApi: { method: 'POST', path: '/openid' } };
const SIGNATURE = { CALLER_CHECK: 'signature' };

test('IAM stays on a route, whatever the setting is but signature', () => {
  for (const provider of [{}, { CALLER_CHECK: 'iam' }, { CALLER_CHECK: 'none' }, { CALLER_CHECK: '' }]) {
    expect(authorized(IAM_ROUTE, { provider })).toEqual(IAM_ROUTE);
  }
});

test('signature takes it off, for the functions that check the signature alone', () => {
  expect(authorized(IAM_ROUTE, { provider: SIGNATURE })).toEqual(OPEN_ROUTE);
  expect(authorized(IAM_ROUTE, { fn: SIGNATURE })).toEqual(OPEN_ROUTE);
  expect(authorized(IAM_ROUTE, { fn: SIGNATURE, handler: `./${HANDLER}` })).toEqual(OPEN_ROUTE);
  const overridden = { provider: SIGNATURE, fn: { CALLER_CHECK: 'iam' } };
  expect(authorized(IAM_ROUTE, overridden)).toEqual(IAM_ROUTE);
  const ofTheOperator = { provider: SIGNATURE, handler: 'src/health.handler' };
  expect(authorized(IAM_ROUTE, ofTheOperator)).toEqual(IAM_ROUTE);
});

test.each([
  [{ httpApi: { method: 'POST', path: '/openid', authorizer: { name: 'own' } } }],
  [{ httpApi: '*' }],
  [{ http: { method: 'post', path: 'openid', authorizer: 'aws_iam' } }],
  [{ alb: { listenerArn: 'arn', priority: 1, conditions: {}, authorizer: ['cognito'] } }],
  [{ schedule: 'rate(5 minutes)' }],
  ['http'],
])('any other event stays as it is: %j', (event) => {
  expect(authorized(event as object, { provider: SIGNATURE })).toEqual(event);
});
