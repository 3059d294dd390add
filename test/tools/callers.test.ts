/** Whether each way in over HTTP is guarded by somebody. */
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';

const { authorizeRoutes } = createRequire(import.meta.url)('../../tools/serverless/callers.cjs');

interface Settings {
  provider?: Record<string, string>;
  fn?: Record<string, string>;
}

function authorized(event: object, { provider = {}, fn = {} }: Settings = {}) {
  const events = [structuredClone(event)];
  const handler = 'dist/functions/openidLoggedIn.handler';
  const functions = { openidLoggedIn: { handler, environment: fn, events } };
  const problems = authorizeRoutes({ provider: { environment: provider }, functions });
  return { isRefused: problems.length > 0, event: events[0] };
}

const IAM_ROUTE = { httpApi: { method: 'POST', path: '/openid', authorizer: { type: 'aws_iam' } } };
const OPEN_ROUTE = { httpApi: { method: 'POST', path: '/openid' } };
const SIGNATURE = { CALLER_CHECK: 'signature' };

test('IAM stays on a route, whatever the setting is but signature', () => {
  for (const provider of [{}, { CALLER_CHECK: 'iam' }, { CALLER_CHECK: 'none' }, { CALLER_CHECK: '' }]) {
    expect(authorized(IAM_ROUTE, { provider })).toEqual({ isRefused: false, event: IAM_ROUTE });
  }
});

test('signature takes it off, for the functions that check the signature alone', () => {
  expect(authorized(IAM_ROUTE, { provider: SIGNATURE }).event).toEqual(OPEN_ROUTE);
  expect(authorized(IAM_ROUTE, { fn: SIGNATURE }).event).toEqual(OPEN_ROUTE);
  const overridden = { provider: SIGNATURE, fn: { CALLER_CHECK: 'iam' } };
  expect(authorized(IAM_ROUTE, overridden)).toEqual({ isRefused: false, event: IAM_ROUTE });
});

test.each([
  [OPEN_ROUTE],
  [{ httpApi: 'POST /openid' }],
  [{ httpApi: '*' }],
  [{ http: { method: 'post', path: 'openid' } }],
  [{ http: 'POST openid' }],
  [{ url: true }],
  [{ url: { cors: true } }],
  [{ alb: { listenerArn: 'arn', priority: 1, conditions: { path: '/openid' } } }],
])('a way in that nobody guards is refused, unless the function does: %j', (event) => {
  expect(authorized(event).isRefused).toBe(true);
  expect(authorized(event, { provider: SIGNATURE }).isRefused).toBe(false);
});

test.each([
  [{ httpApi: { method: 'POST', path: '/openid', authorizer: { name: 'own' } } }],
  [{ http: { method: 'post', path: 'openid', authorizer: 'aws_iam' } }],
  [{ http: { method: 'post', path: 'openid', private: true } }],
  [{ url: { authorizer: 'aws_iam' } }],
  [{ alb: { listenerArn: 'arn', priority: 1, conditions: {}, authorizer: ['cognito'] } }],
  [{ schedule: 'rate(5 minutes)' }],
])('a way in that something guards stays as it is: %j', (event) => {
  expect(authorized(event)).toEqual({ isRefused: false, event });
});

test.each([
  [{ http: { method: 'post', path: 'openid', integration: 'lambda' } }],
  [{ http: { method: 'post', path: 'openid', async: true } }],
  [{ websocket: { route: '$default' } }],
  [{ websocket: '$connect' }],
])('a way in without an envelope has no signature to check: %j', (event) => {
  expect(authorized(event, { provider: SIGNATURE }).isRefused).toBe(true);
  expect(authorized(event).isRefused).toBe(true);
});

test('a function URL among the resources is refused where it asks nothing', () => {
  const withUrl = (AuthType: string) => ({
    provider: {},
    functions: {},
    resources: { Resources: { Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType } } } },
  });
  expect(authorizeRoutes(withUrl('NONE'))).toHaveLength(1);
  expect(authorizeRoutes(withUrl('AWS_IAM'))).toEqual([]);
});

test('a function that is not of this bundle is its operator’s', () => {
  const functions = { health: { handler: 'src/health.handler', events: [OPEN_ROUTE] } };
  expect(authorizeRoutes({ provider: {}, functions })).toEqual([]);
});
