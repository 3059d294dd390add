/** Lambda's Invoke API as it answers where something is wrong, by the stage of the function that is asked. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpServer, httpsServer, sendJson } from './servers.ts';

export type FakeAws = Awaited<ReturnType<typeof fakeAws>>;

const REFUSALS: Readonly<Record<string, [status: number, type: string]>> = {
  'not-deployed': [404, 'ResourceNotFoundException'],
  'not-allowed': [403, 'AccessDeniedException'],
  expired: [403, 'ExpiredTokenException'],
};

/** What the self-test of a function says whose handler and secret are of no use. */
const NOT_READY = {
  version: '1.0.0',
  function: 'openidLoggedIn',
  ok: false,
  handler: {
    source: 'handlers/staff',
    loaded: false,
    reason: 'handler_not_loaded',
    problem: 'threw while loading',
    error: 'TypeError: x\n    at file:///var/task/handlers/staff.mjs:1:7',
  },
  settings: {},
  secrets: { 'login-hooks/signing': 'secret_access_denied' },
  keySets: {},
};

/** And whose handler is loaded, but a check is not. */
const WITHOUT_CHECK = {
  ...NOT_READY,
  handler: { source: 'handlers/staff', loaded: true, reason: 'internal_error' },
  secrets: {},
};

const REPORTS: Readonly<Record<string, object>> = { 'not-ready': NOT_READY, 'without-check': WITHOUT_CHECK };

export async function fakeAws() {
  const [plain, secure] = await Promise.all([httpServer(invoke), httpsServer(invoke)]);
  const at = (url: string) =>
    `AWS_ACCESS_KEY_ID=x\nAWS_SECRET_ACCESS_KEY=x\nAWS_ENDPOINT_URL_LAMBDA=${url}\n`;
  const stages = [...Object.keys(REFUSALS), ...Object.keys(REPORTS)];
  return {
    port: Number(new URL(plain.url).port),
    /** Over TLS with a certificate that nobody trusts. */
    securePort: Number(new URL(secure.url).port),
    /** Files of settings by their names, one for each stage. */
    settings: {
      ...Object.fromEntries(stages.map((stage) => [`.env.${stage}`, at(plain.url)])),
      '.env.not-trusted': at(secure.url),
      // The port of `discard`, on which nothing listens.
      '.env.not-reached': at('http://127.0.0.1:9'),
    },
    async close() {
      await Promise.all([plain.close(), secure.close()]);
    },
  };
}

function invoke({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, stage = ''] = /login-hooks-([a-z-]+)-/.exec(url) ?? [];
  const [status, type] = REFUSALS[stage] ?? [];
  if (status === undefined) sendJson(response, REPORTS[stage]);
  else sendJson(response, { message: 'no' }, status, { 'x-amzn-errortype': type });
}
