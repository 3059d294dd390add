/** Sends one login. Redirects are not followed, and nothing is sent again. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Headers } from './signing.ts';
import type { Target } from './target.ts';

/** A response has a few hundred bytes, or some thousand groups. */
const MAX_RESPONSE_BYTES = 1_048_576;

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/**
 * @param signal ends the request
 * @throws {Error} where no response came, or one that is larger than a mebibyte
 */
export async function send(
  { url, agent }: Target,
  { headers, body }: { headers: Headers; body: string },
  signal: AbortSignal,
): Promise<Received> {
  const { request: open } = url.protocol === 'https:' ? https : http;
  const request = open(url, { method: 'POST', agent, headers, signal });
  // After the response has begun, the response has the error too.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await textOf(response) };
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      throw Object.assign(new Error('the response is too large'), { code: 'TOO_LARGE' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
