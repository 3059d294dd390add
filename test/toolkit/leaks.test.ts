/** Nothing that a look-up or a secret holds reaches a log, a message or a thrown error. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { Invocation, runInInvocation } from '../../lib/invocation.ts';
import { describeWhole, describeWithoutMessage } from '../../lib/login/log.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { lookUp } from '../../lib/toolkit/lookUp.ts';
import { endpoint, url } from '../../lib/toolkit/url.ts';
import { customHandler } from '../support/customHandler.ts';
import { withProbe } from '../support/probe.ts';
import { PROBE_SDK } from '../support/probeBundle.ts';
import { httpServer } from '../support/servers.ts';

const word = fc.stringMatching(/^[A-Za-z0-9]{12}$/).map((text) => `MARK${text}`);
const status = fc.constantFrom(200, 204, 301, 400, 401, 404, 418);

describe('a marker in query, headers and bodies', () => {
  test('is in no error, whatever the answer is', async () => {
    let answer = { status: 200, body: '' };
    const server = await httpServer((_, response) =>
      response.writeHead(answer.status, { location: answer.body }).end(answer.body),
    );
    const Schema = v.object({ a: v.pipe(v.string(), v.maxLength(3)) });
    await fc.assert(
      fc.asyncProperty(
        word,
        status,
        fc.constantFrom('text', 'json', 'wrong', 'cut'),
        async (marker, code, kind) => {
          const bodies = {
            text: marker,
            json: `{"a":"${marker}"}`,
            wrong: `{"${marker}":1}`,
            cut: `{"a":"${marker}`,
          };
          answer = { status: code, body: bodies[kind] };
          const options = {
            allowHttp: true,
            retries: 0,
            headers: { authorization: marker },
            json: { marker },
          };
          const invocation = new Invocation(
            { awsRequestId: 'x', getRemainingTimeInMillis: () => 5_000 },
            null,
          );
          const asked = runInInvocation(invocation, () =>
            lookUp(url`${endpoint(server.url)}/x?q=${marker}`, Schema, options),
          );
          const error = await asked.then(
            () => null,
            (failure: LookUpFailed) => failure,
          );
          expect(error).toBeInstanceOf(LookUpFailed);
          const said = [
            error?.message,
            error?.stack,
            JSON.stringify(error),
            describeWhole(error),
            JSON.stringify(describeWithoutMessage(error)),
          ];
          expect(said.join()).not.toContain(marker);
        },
      ),
      { numRuns: 60 },
    );
    await server.close();
  });

  test('is in no log line, whichever way the login ends', async () => {
    const markers = fc.sample(word, 20);
    let body = '';
    const server = await httpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    await withProbe({ PROBE_URL: server.url, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' }, async ({ ask, output }) => {
      for (const marker of markers) {
        for (body of [marker, `{"ok":"${marker}"}`])
          await ask({ op: 'lookUp', path: marker, id: marker, catches: false });
      }
      for (const marker of markers) expect(output()).not.toContain(marker);
      expect(output()).toContain('lookup_unexpected');
    });
    await server.close();
  });
});

describe('a handler that throws while it loads, after it asked for', () => {
  const SECRET = 'MARKER';
  const ASKED =
    'threw while loading, after a request for a secret or a look-up; its message may contain the response and is not logged';

  async function coldStart(source: string) {
    const server = await httpServer((_, response) => response.end(JSON.stringify({ mail: SECRET })));
    const handler = (code: string) =>
      customHandler(`
      import { endpoint, getJsonSecret, getSecret, lookUp, v } from '${PROBE_SDK}';
      const base = endpoint(process.env.PROBE_URL);
      ${code}
      export default () => ({ type: 'ForbiddenResponse' });`);
    const env = {
      OPENID_HANDLER_MODULE: await handler(source),
      SECRETS_FILE: await customHandler(JSON.stringify({ a: SECRET }), '.json'),
      PROBE_URL: server.url,
      AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
    };
    return withProbe(env, async ({ ask, records, output }) => {
      await ask({});
      await server.close();
      expect(output()).not.toContain(SECRET);
      return records().find(({ problem }) => problem !== undefined);
    });
  }

  const A_SECRET = `const asked = await getSecret('a');`;
  const A_LOOK_UP =
    'const { mail: asked } = await lookUp(base, v.object({ mail: v.string() }), { allowHttp: true });';

  test.each<[string, string, string]>([
    ['a secret that is no URL', A_SECRET, 'new URL(asked)'],
    ['a secret that is a cause', A_SECRET, `throw new Error('x', { cause: new Error(asked) })`],
    ['a secret that is a property', A_SECRET, `throw Object.assign(new Error('x'), { asked, name: asked })`],
    ['a look-up', A_LOOK_UP, 'throw new TypeError(asked)'],
  ])('%s, is described by its class and its frames', async (_, ask, fail) => {
    const record = await coldStart(`${ask} ${fail};`);
    expect(record).toMatchObject({ reason: 'handler_not_loaded', problem: ASKED });
    expect(record?.error).toMatch(/^\w+\n {4}at .*handler-\d+\.mjs/s);
  });

  test.each([['text', 'throw asked', 'string']])('a secret, and throws %s', async (_, fail, error) => {
    expect(await coldStart(`${A_SECRET} ${fail};`)).toMatchObject({ problem: ASKED, error });
  });

  test('a secret that is not there, is described by the secret’s id', async () => {
    const record = await coldStart(`await getJsonSecret('none', v.string());`);
    expect(record?.error).toMatch(/^secret_not_found {"secretId":"none"}\n {4}at /);
  });
});
