/** What a load counts, against servers that answer well, wrongly, late or not at all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Load, runLoad } from '../../tools/load/load.ts';
import { type LoadSample, loadSamples } from '../../tools/load/loadSamples.ts';
import { isClean, reportOf } from '../../tools/load/report.ts';
import { targetAt } from '../../tools/load/target.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

type Handle = (response: ServerResponse, body: string, request: IncomingMessage) => void;

/** Longer than any answer takes on a busy machine. */
const PATIENCE_MS = 60_000;

let samples: LoadSample[];
let entra: LoadSample;
let elsewhere: LocalServer;
beforeAll(async () => {
  ({ samples } = await loadSamples('openidLoggedIn', [], undefined));
  entra = samples.find(({ name }) => name === 'entra') as LoadSample;
  elsewhere = await httpServer((_, response) => sendJson(response, entra.expected.answer));
});
afterAll(() => elsewhere.close());

async function loaded(handle: Handle, load: Partial<Load> = {}) {
  const server = await httpServer((request, response, body) => handle(response, body, request));
  const target = await targetAt(`${server.url}/openid`, false);
  const ending = new AbortController();
  try {
    const result = await runLoad({
      target,
      isDirect: false,
      sign: async () => ({ 'content-type': 'application/json' }),
      samples: [entra],
      rate: 100,
      seconds: 0.1,
      timeoutMs: PATIENCE_MS,
      signal: ending.signal,
      ...load,
    });
    return { ...result, requests: server.requests, report: reportOf(result, 100) };
  } finally {
    target.agent.destroy();
    await server.close();
  }
}

const answer = (change: object = {}, status?: number): Handle => {
  return (response) => sendJson(response, { ...entra.expected.answer, ...change }, status);
};
const refusal = (message: string, status?: number): Handle => {
  return (response) => sendJson(response, { type: 'ErrorResponse', message }, status);
};
const aws = (status: number, headers: object, body: object): Handle => {
  return (response) => sendJson(response, body, status, headers);
};
const NOT_CONFIRMED = 'Your sign-in could not be confirmed. Please sign in again.';
const PROFILE = 'first_name, last_name, email, image_url, affiliation, user_group_uuids';
const AUTHORIZED = 'AuthorizedUserResponse';

describe('each login counts as what it became', () => {
  const NO_LOGIN = 'no response of a login function';
  test.each<[string, Handle, string, number | null, string | null, string]>([
    ['the expected answer', answer(), 'as expected', 200, AUTHORIZED, ''],
    ['with an identifier', answer({ external_id: 'id-1' }), 'as expected', 200, AUTHORIZED, ''],
    ['another address', answer({ email: 'x@y.example' }), 'mismatch', 200, AUTHORIZED, 'differs in email'],
    [
      'another group',
      answer({ user_group_uuids: ['a'] }),
      'mismatch',
      200,
      AUTHORIZED,
      'differs in user_group_uuids',
    ],
    ['another status', answer({}, 201), 'mismatch', 201, AUTHORIZED, 'differs in status'],
    [
      'words of this project',
      refusal(`${NOT_CONFIRMED} (Reference: r-1)`, 422),
      'mismatch',
      422,
      'ErrorResponse',
      `differs in status, type, ${PROFILE}: ${NOT_CONFIRMED}`,
    ],
    [
      'words of a handler, which may name the person',
      refusal('Grace Hopper has left.'),
      'mismatch',
      200,
      'ErrorResponse',
      `differs in type, ${PROFILE}`,
    ],
    ['a type that is none', answer({ type: 'grace.hopper' }), 'error', 200, null, NO_LOGIN],
    ['no JSON', (response) => response.end('<html>'), 'error', 200, null, NO_LOGIN],
    ['a failure of the gateway', aws(503, {}, { message: 'x' }), 'error', 503, null, NO_LOGIN],
    ['the throttle of an API', aws(429, {}, { message: 'Too Many Requests' }), 'throttled', 429, null, ''],
    [
      'the throttle of Lambda',
      aws(429, { 'x-amzn-errortype': 'TooManyRequestsException:http://internal' }, {}),
      'throttled',
      429,
      null,
      'TooManyRequestsException',
    ],
    [
      'a function that ran out of time',
      aws(200, { 'x-amz-function-error': 'Unhandled' }, { errorType: 'Sandbox.Timedout' }),
      'error',
      200,
      null,
      'Sandbox.Timedout',
    ],
    [
      'a function that threw what may be a value',
      aws(200, { 'x-amz-function-error': 'Unhandled' }, { errorType: 'grace.hopper' }),
      'error',
      200,
      null,
      'the function failed',
    ],
    [
      'a redirect',
      (response) => response.writeHead(302, { location: elsewhere.url }).end(),
      'error',
      302,
      null,
      NO_LOGIN,
    ],
    ['a connection that ends', (response) => response.destroy(), 'error', null, null, 'ECONNRESET'],
    ['two mebibytes', (response) => response.end('x'.repeat(2 ** 21)), 'error', null, null, 'TOO_LARGE'],
  ])('%s', async (_, handle, kind, status, type, what) => {
    const { figures, report, ...result } = await loaded(handle);
    expect(figures.counted).toEqual([{ kind, status, type, what, logins: 10 }]);
    expect(isClean({ figures, ...result })).toBe(kind === 'as expected');
    expect(report).toContain(`${kind}  `);
    expect(elsewhere.requests).toEqual([]);
  });

  test.each<[string, Handle]>([
    ['nothing', () => {}],
    ['half a response', (response) => void response.write('{"type":')],
  ])('%s in time', async (_, handle) => {
    const { figures } = await loaded(handle, { timeoutMs: 1_000 });
    expect(figures.counted).toEqual([
      { kind: 'error', status: null, type: null, what: 'no response in 1 s', logins: 10 },
    ]);
  });

  test('answers that reach another login', async () => {
    const others = samples.filter(({ name }) => ['entra', 'okta', 'google-workspace'].includes(name));
    expect(others).toHaveLength(3);
    const { figures } = await loaded(
      (response, body) => sendJson(response, others.find((one) => one.body !== body)?.expected.answer),
      { samples: others, rate: 300 },
    );
    expect(figures.logins('mismatch')).toBe(30);
    expect(figures.logins('as expected')).toBe(0);
  });

  test('names in camel case are those that are expected', async () => {
    const { type, email, ...rest } = entra.expected.answer as Record<string, unknown>;
    const names = Object.entries(rest).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    const { figures } = await loaded((response) =>
      sendJson(response, { type, email, ...Object.fromEntries(names) }),
    );
    expect(figures.logins('as expected')).toBe(10);
  });
});

test.each([
  ['Ihr Login ist zu spät. (Referenz: r-1)', 'as expected'],
  ['Your login took too long. (Reference: r-1)', 'mismatch'],
  ['Ihr Login ist zu spät.', 'mismatch'],
])('a refusal counts as expected in another language of ours: %s: %s', async (message, kind) => {
  const answer = { type: 'ErrorResponse', message: 'You are not in a group.' };
  const sample = { ...entra, expected: { ...entra.expected, answer } } as LoadSample;
  const { figures } = await loaded(refusal(message), { samples: [sample] });
  expect(figures.counted).toMatchObject([{ kind, logins: 10 }]);
});

describe('logins leave at their own time', () => {
  test('also where none is answered before the last one has left', async () => {
    const waiting: ServerResponse[] = [];
    const { figures, seconds } = await loaded(
      (response) => {
        waiting.push(response);
        if (waiting.length === 40) for (const one of waiting) sendJson(one, entra.expected.answer);
      },
      { seconds: 0.4 },
    );
    expect(figures.logins('as expected')).toBe(40);
    expect(seconds).toBeGreaterThan(0.39);
  });

  test('each event in its turn', async () => {
    const { requests } = await loaded(answer(), { samples: samples.slice(0, 3) });
    const bodies = samples.slice(0, 3).map(({ body }) => body);
    expect(requests.map(({ body }) => bodies.indexOf(body)).sort()).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });

  test('but not where a thousand have no answer yet', async () => {
    const { figures } = await loaded(answer(), {
      rate: 15_000,
      timeoutMs: 3_000,
      sign: async () => {
        await setTimeout(3_500);
        throw new Error('no signature');
      },
    });
    expect(figures.counted.map(({ what, logins }) => [what, logins])).toEqual([
      ['no response in 3 s', 1_000],
      ['not sent: 1000 logins had no response yet', 500],
    ]);
  });
});

test('the percentiles are those of the answers', async () => {
  let count = 0;
  const { figures, report } = await loaded(
    async (response) => {
      count += 1;
      if (count % 10 === 0) await setTimeout(1_000);
      sendJson(response, entra.expected.answer);
    },
    { seconds: 0.4 },
  );
  expect(figures.percentile(99)).toBeGreaterThanOrEqual(990);
  expect(figures.percentile(50)).toBeLessThan(figures.percentile(99));
  expect(report).toMatch(/^ms\s+50%\s+90%\s+99%\s+max$/m);
});

test('Lambda has one status for all answers of a function', async () => {
  const invalid = samples.filter(({ expected }) => expected.status === 422);
  expect(invalid).toHaveLength(1);
  const handle: Handle = (response) => sendJson(response, invalid[0]?.expected.answer);
  expect((await loaded(handle, { samples: invalid, isDirect: true })).figures.logins('as expected')).toBe(10);
  expect((await loaded(handle, { samples: invalid })).figures.logins('mismatch')).toBe(10);
});

test('a login that has no answer at the end is not counted as an error', async () => {
  const ending = new AbortController();
  let count = 0;
  const { figures, report, seconds } = await loaded(
    (response) => {
      count += 1;
      if (count === 5) ending.abort();
      if (count < 4) sendJson(response, entra.expected.answer);
    },
    { signal: ending.signal, seconds: 60, rate: 20 },
  );
  expect(figures.counted.map(({ kind, logins }) => [kind, logins])).toEqual([
    ['as expected', 3],
    ['interrupted', 2],
  ]);
  expect(isClean({ figures, seconds })).toBe(true);
  expect(report).toMatch(/^5 logins in \d+\.\d s/);
});
