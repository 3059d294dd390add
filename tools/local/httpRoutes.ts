/** The routes of the deployed HTTP API, on this machine. */
import * as v from 'valibot';
import { KINDS } from '../../lib/kinds.ts';
import { FAILED, type Listening, listen, type Received, refused, type Sent } from '../shared/listen.ts';
import type { Answered } from './answered.ts';
import { apiGatewayEvent } from './httpEvent.ts';

export type AnswerLogin = (functionName: string, event: unknown) => Promise<Answered>;

/** What a function answers through HTTP. A process that failed answers nothing. */
const Response = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
});

/** What API Gateway takes. */
const MAX_BYTES = 10_000_000;

/** @throws {UnusableInput} where the port is not available */
export function listenHttp(port: number, answer: AnswerLogin): Promise<Listening> {
  const tooLarge = refused(413, 'Request Entity Too Large');
  const options = { port, option: '--http-port', maxBytes: MAX_BYTES, tooLarge };
  return listen(options, (received) => answerRequest(received, answer));
}

async function answerRequest({ request, body }: Received, answer: AnswerLogin): Promise<Sent> {
  const { method = 'GET', url = '/', headers, socket } = request;
  const [path] = url.split('?', 1);
  const functionName = Object.values(KINDS).find(({ word }) => path === `/${word}`)?.functionName;
  if (method !== 'POST' || functionName === undefined) return refused(404, 'Not Found');
  const sourceIp = socket.remoteAddress ?? '';
  const event = apiGatewayEvent({ method, url, headers, body, sourceIp });
  const { success, output } = v.safeParse(Response, (await answer(functionName, event)).result);
  return success ? { status: output.statusCode, headers: output.headers, body: output.body } : FAILED;
}
