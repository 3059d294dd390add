/** The routes of the deployed HTTP API, on this machine. */
import type { Answered } from './answered.ts';
import { apiGatewayEvent } from './httpEvent.ts';
import { type Listening, listen, type Received, type Sent } from './listen.ts';

export type AnswerLogin = (functionName: string, event: unknown) => Promise<Answered>;

export const ROUTES: Readonly<Record<string, string>> = {
  '/openid': 'openidLoggedIn',
  '/saml': 'samlLoggedIn',
};

/** What API Gateway takes. */
const MAX_BYTES = 10_000_000;

/** @throws {UnusableInput} where the port is not available */
export function listenHttp(port: number, answer: AnswerLogin): Promise<Listening> {
  const tooLarge = message(413, 'Request Entity Too Large');
  const options = { port, option: '--http-port', maxBytes: MAX_BYTES, tooLarge };
  return listen(options, (received) => answerRequest(received, answer));
}

async function answerRequest({ request, body }: Received, answer: AnswerLogin): Promise<Sent> {
  const { method = 'GET', url = '/', headers, socket } = request;
  const functionName = ROUTES[new URL(url, 'http://localhost').pathname];
  if (method !== 'POST' || functionName === undefined) return message(404, 'Not Found');
  const sourceIp = socket.remoteAddress ?? '';
  const event = apiGatewayEvent({ method, url, headers, body, sourceIp });
  const { result, response } = await answer(functionName, event);
  if (response === null) return message(500, 'Internal Server Error');
  const { statusCode, ...sent } = result as {
    statusCode: number;
    headers: Record<string, string>;
    body: string;
  };
  return { status: statusCode, headers: sent.headers, body: sent.body };
}

/** As API Gateway writes its own errors. */
function message(status: number, text: string): Sent {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: text }),
  };
}
