/** The routes of the deployed HTTP API, on this machine. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as v from 'valibot';
import { listenOnLoopback } from '../shared/loopback.ts';
import { FUNCTIONS } from '../shared/projectFunctions.ts';
import { apiGatewayEvent } from './httpEvent.ts';
import { type AnswerLogin, failed, localApi, refused } from './localApi.ts';

/** What a function answers through HTTP. A process that failed answers nothing. */
const HttpAnswer = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
});

/** What API Gateway takes. */
const MAX_BYTES = 10_000_000;

/**
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenHttp(port: number, answer: AnswerLogin): Promise<() => Promise<void>> {
  const tooLarge = () => refused(413, 'Request Entity Too Large');
  const app = localApi({ port, maxSize: MAX_BYTES, tooLarge });
  for (const [word, functionName] of Object.entries(FUNCTIONS)) {
    app.post(`/${word}`, async (context) =>
      responseOf((await answer(functionName, await eventOf(context))).result),
    );
  }
  app.notFound(() => refused(404, 'Not Found'));
  return listenOnLoopback(app, { port, option: '--http-port' });
}

async function eventOf({ req, env }: Context<{ Bindings: HttpBindings }>) {
  const { method = 'POST', url = '/', headers, socket } = env.incoming;
  const body = Buffer.from(await req.arrayBuffer());
  return apiGatewayEvent({ method, url, headers, body, sourceIp: socket.remoteAddress ?? '' });
}

/** A function may answer with what no HTTP response can be. */
function responseOf(result: unknown): Response {
  try {
    const { statusCode: status, headers, body } = v.parse(HttpAnswer, result);
    return new Response(body, { status, headers: new Headers(headers) });
  } catch {
    return failed();
  }
}
