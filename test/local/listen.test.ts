/** The two ports that answer without a token: HTTP, and Lambda's Invoke API. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { InvocationResult } from '../../tools/local/invocation.ts';
import type { InvokeLogin } from '../../tools/local/localApis.ts';
import { listenHttp, listenLambda } from '../../tools/local/localApis.ts';
import { freePort } from '../support/freePort.ts';

const PATH = '/2015-03-31/functions';
let close: () => Promise<void>;
afterEach(() => close());

async function served(listen: typeof listenHttp, answer: InvokeLogin): Promise<string> {
  const port = await freePort();
  close = await listen(port, answer);
  return `http://127.0.0.1:${port}`;
}

const answeredWith =
  (given: object): InvokeLogin =>
  async () =>
    ({ result: {}, response: {}, reason: 'authorized', output: '', ...given }) as InvocationResult;
const failing: InvokeLogin = async () => {
  throw new Error('the build failed');
};
const post = (url: string, headers: Record<string, string> = {}, body = '{}') =>
  fetch(url, { method: 'POST', body, headers });

const CRASHED = answeredWith({ response: null, reason: 'crash', failed: 'crash: ended (exit code 3)' });

describe('the HTTP port', () => {
  test.each([
    ['a process failed', CRASHED],
    ['nothing can answer', failing],
  ])('answers 500 where %s', async (_, answer) => {
    const response = await post(`${await served(listenHttp, answer)}/openid`);
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });

  test('has no route of another method', async () => {
    expect((await fetch(`${await served(listenHttp, CRASHED)}/openid`)).status).toBe(404);
  });
});

describe("Lambda's Invoke API", () => {
  test('finds a function by its ARN, with the service, the stage and an alias around its name', async () => {
    const arn = 'arn:aws:lambda:eu-central-1:123456789012:function:my-logins-dev-openidLoggedIn:live';
    const url = await served(listenLambda, answeredWith({ result: { first_name: 'Ada' } }));
    const response = await post(`${url}${PATH}/${arn}/invocations`);
    expect([response.status, response.headers.get('x-amz-function-error')]).toEqual([200, null]);
    expect(await response.json()).toEqual({ first_name: 'Ada' });
  });

  test('refuses a payload that is no JSON', async () => {
    const url = `${await served(listenLambda, failing)}${PATH}/openidLoggedIn/invocations`;
    const { headers } = await post(url, {}, '{');
    expect(headers.get('x-amzn-errortype')).toBe('InvalidRequestContentException');
  });

  test.each([
    ['malformed percent-encoding', '%E0%A4%A'],
    ['another function', 'other'],
    ['a name that is too long', `login-hooks-${'a-'.repeat(5_000)}!`],
  ])('knows no function of %s', async (_, name) => {
    const response = await post(`${await served(listenLambda, failing)}${PATH}/${name}/invocations`);
    expect([response.status, await response.json()]).toMatchObject([404, { Type: 'User' }]);
  });

  test('tells of a process that failed as Lambda does', async () => {
    const response = await post(`${await served(listenLambda, CRASHED)}${PATH}/openidLoggedIn/invocations`);
    expect([response.status, response.headers.get('x-amz-function-error')]).toEqual([200, 'Unhandled']);
    const error = { errorType: 'crash', errorMessage: 'crash: ended (exit code 3)' };
    expect(await response.json()).toEqual(error);
  });

  test('answers 500 where nothing can answer, and survives an asynchronous invocation that fails', async () => {
    const url = `${await served(listenLambda, failing)}${PATH}/openidLoggedIn/invocations`;
    expect((await post(url, { 'x-amz-invocation-type': 'Event' })).status).toBe(202);
    expect((await post(url)).status).toBe(500);
  });
});
