/** Requests as no well-behaved client sends them: any method, target and header, to a port of this machine. */
import http from 'node:http';

export interface RawRequest {
  port: number;
  /** Sent as it stands: neither decoded nor shortened. */
  path: string;
  method?: string;
  /** All headers, `Host` too; a header is left out where it is undefined. */
  headers?: Record<string, string | undefined>;
  body?: string | Buffer | undefined;
  /** Whether the body is sent without its length. */
  isChunked?: boolean;
}

export interface RawResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Of an event stream, the first part is the body. */
export function rawRequest({ port, path, body, ...options }: RawRequest): Promise<RawResponse> {
  const { method = 'GET', headers = {}, isChunked = false } = options;
  const given = Object.entries({ host: `localhost:${port}`, ...headers }).filter(([, value]) => value);
  const length = body === undefined || isChunked ? [] : [['content-length', `${Buffer.byteLength(body)}`]];
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      path,
      method,
      setHost: false,
      headers: Object.fromEntries([...given, ...length]),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      textOf(response).then((text) => resolve({ status, headers: received, body: text }), reject);
    });
    // A server may answer before it has all, and go away.
    request.end(body);
  });
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (response.headers['content-type']?.startsWith('text/event-stream')) break;
  }
  response.destroy();
  return text;
}
