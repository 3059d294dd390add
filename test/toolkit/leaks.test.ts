/** Nothing that a look-up or a secret holds reaches a log, a message or a thrown error. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { Invocation, runInInvocation } from '../../lib/deadline.ts';
import { LookUpFailed, SecretFailed } from '../../lib/errors.ts';
import { describeWhole, describeWithoutMessage } from '../../lib/login/describeError.ts';
import { lookUp } from '../../lib/toolkit/lookUp.ts';
import { endpoint, url } from '../../lib/toolkit/url.ts';
import { withProbe } from '../support/probe.ts';
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

test('a secret’s value has no way into its error', () => {
  const error = new SecretFailed('secret_unusable', 'login-hooks/a', ['expected JSON']);
  expect(JSON.stringify(error.details)).toBe('{"secretId":"login-hooks/a","problems":["expected JSON"]}');
});
