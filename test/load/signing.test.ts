/** A login is signed as the way in demands, and verified by the code that others wrote. */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { invokeUrl, regionOfFunction } from '../../tools/load/lambda.ts';
import { type Place, signer } from '../../tools/load/signing.ts';

const BODY = '{"a":"ä"}';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-1' };

let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  Object.assign(process.env, CREDENTIALS);
});
afterEach(() => {
  process.env = before;
});

/** What the AWS SDK makes of the same request at the same time. */
async function bySdk({ url }: Place, headers: Record<string, string>): Promise<string> {
  const [, region, service] =
    /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(headers.Authorization ?? '') ?? [];
  const { signer: signerOf } = new LambdaClient({ region: 'none' }).config;
  const sdk = await signerOf({
    name: 'sigv4',
    signingName: service ?? '',
    signingRegion: region ?? '',
    properties: {},
  });
  const { Authorization: _, ...sent } = headers;
  const [year, ...rest] = (headers['X-Amz-Date'] ?? '').match(/\d{2}/g) ?? [];
  const [century, month, day, hour, minute, second] = rest;
  const signingDate = new Date(`${year}${century}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const request = await sdk.sign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
      body: BODY,
    } as never,
    { signingDate, unsignableHeaders: new Set(['x-amz-content-sha256']) },
  );
  return request.headers.authorization ?? '';
}

describe('by IAM', () => {
  const api = 'https://abc123.execute-api.us-west-2.amazonaws.com/openid';
  test.each<[string, string, string, string]>([
    ['an HTTP API', api, 'execute-api', 'us-west-2'],
    [
      'an HTTP API with a stage',
      api.replace('/openid', '/live/openid?a=1&b=x%20y'),
      'execute-api',
      'us-west-2',
    ],
    [
      'an API in China',
      'https://a.execute-api.cn-north-1.amazonaws.com.cn/saml',
      'execute-api',
      'cn-north-1',
    ],
    ['a function URL', 'https://abc.lambda-url.eu-west-1.on.aws/', 'lambda', 'eu-west-1'],
    ['a domain of its own', 'https://login.example.org/saml', 'execute-api', 'eu-central-1'],
  ])('%s', async (_, address, service, region) => {
    const place = { url: new URL(address), service: 'execute-api', region: 'eu-central-1' };
    const headers = await (await signer('iam', place))(BODY);
    expect(headers.Authorization).toContain(`/${region}/${service}/aws4_request`);
    expect(headers.Authorization).toBe(await bySdk(place, headers));
  });

  test.each([
    ['a name', { name: 'login-hooks-prod-openidLoggedIn' }, 'eu-central-1'],
    ['an alias', { name: 'login-hooks-prod-openidLoggedIn', qualifier: 'live' }, 'eu-central-1'],
    ['a version', { name: 'f', qualifier: '$LATEST' }, 'eu-central-1'],
    ['an ARN', { name: 'arn:aws:lambda:us-east-1:123456789012:function:f:live' }, 'us-east-1'],
  ])('a function by %s', async (_, given, region) => {
    const invoked = { ...given, region: 'eu-central-1' };
    const url = new URL(invokeUrl(invoked, {}));
    expect(url.host).toBe(`lambda.${region}.amazonaws.com`);
    const place = { url, service: 'lambda', region: regionOfFunction(invoked) };
    const headers = await (await signer('iam', place))(BODY);
    expect(headers.Authorization).toContain(`/${region}/lambda/aws4_request`);
    expect(headers.Authorization).toBe(await bySdk(place, headers));
  });

  test('with the token of temporary credentials', async () => {
    process.env.AWS_SESSION_TOKEN = 'session-1';
    const place = { url: new URL(api), service: 'execute-api', region: 'eu-central-1' };
    const headers = await (await signer('iam', place))(BODY);
    expect(headers['X-Amz-Security-Token']).toBe('session-1');
    expect(headers.Authorization).toContain('x-amz-security-token');
  });

  test('not without credentials', async () => {
    for (const name of Object.keys(CREDENTIALS)) delete process.env[name];
    Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nowhere' });
    const place = { url: new URL(api), service: 'execute-api', region: 'eu-central-1' };
    await expect(signer('iam', place)).rejects.toThrow(/^no AWS credentials: /);
  });
});

describe('by Standard Webhooks', () => {
  const place = { url: new URL('http://127.0.0.1:1/openid'), service: 'execute-api', region: 'eu-central-1' };
  const id = 'login-hooks/signing';
  beforeEach(() => {
    Object.assign(process.env, { SECRETS_FILE: 'secrets.sample.json', SIGNING_SECRET_ID: id });
  });

  test('each login has an id of its own, and a signature that the reference library verifies', async () => {
    const sign = await signer('signature', place);
    const [first, second] = [await sign(BODY), await sign(BODY)];
    for (const headers of [first, second]) new Webhook(samples[id]).verify(BODY, headers);
    expect(first['webhook-id']).not.toBe(second['webhook-id']);
  });

  test('not without the secret', async () => {
    process.env.SIGNING_SECRET_ID = 'other';
    await expect(signer('signature', place)).rejects.toThrow(/^secret other: secret_not_found, see /);
  });
});

describe('the endpoint of direct invocation', () => {
  const invoked = { name: 'f', region: 'eu-central-1' };
  const path = '2015-03-31/functions/f/invocations';
  test.each([
    ['of the region', {}, `https://lambda.eu-central-1.amazonaws.com/${path}`],
    ['of the environment', { AWS_ENDPOINT_URL: 'http://localhost:1' }, `http://localhost:1/${path}`],
    [
      'of the environment for Lambda alone',
      { AWS_ENDPOINT_URL: 'http://localhost:1', AWS_ENDPOINT_URL_LAMBDA: 'http://localhost:2/' },
      `http://localhost:2/${path}`,
    ],
  ])('is that %s', (_, env, url) => expect(invokeUrl(invoked, env)).toBe(url));

  test('is refused where it is no URL', () => {
    expect(() => invokeUrl(invoked, { AWS_ENDPOINT_URL: 'here' })).toThrow(
      'AWS_ENDPOINT_URL: expected a URL',
    );
  });
});
