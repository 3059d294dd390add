/** The two ports that ask for no token, as their originals on AWS have other guards: the routes of the HTTP API, and Lambda's own. */
import { isUtf8 } from 'node:buffer';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { listenOnLoopback, requireHost } from '../shared/loopback.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import type { InvocationResult } from './invocation.ts';

export type InvokeLogin = (functionName: string, event: unknown) => Promise<InvocationResult>;

interface ApiOptions {
  port: number;
  maxSize: number;
  /** What is answered to a longer body. */
  tooLarge: () => Response;
}

function localApi({ port, maxSize, tooLarge }: ApiOptions): Hono {
  const app = new Hono();
  app.use(requireHost(port, { isTunnelled: true }));
  app.use(async ({ req }, next) => {
    // Only browsers send these headers. A page of any site can post to this machine: it cannot read the answer, but a
    // handler would run with what it posts.
    const isFromPage = req.header('origin') ?? req.header('sec-fetch-site');
    return isFromPage === undefined ? next() : refused(403, 'web pages may not send requests here');
  });
  app.use(bodyLimit({ maxSize, onError: tooLarge }));
  app.onError(() => failed());
  return app;
}

function refused(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

function failed(): Response {
  return refused(500, 'Internal Server Error');
}

const MAX_HTTP_BYTES = 10_000_000;

/**
 * The routes of the deployed HTTP API.
 *
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenHttp(port: number, invoke: InvokeLogin): Promise<() => Promise<void>> {
  const tooLarge = () => refused(413, 'Request Entity Too Large');
  const app = localApi({ port, maxSize: MAX_HTTP_BYTES, tooLarge });
  for (const [word, functionName] of Object.entries(FUNCTIONS)) {
    app.post(`/${word}`, async ({ req }) => httpResponse(await invoke(functionName, await httpEvent(req))));
  }
  app.notFound(() => refused(404, 'Not Found'));
  return listenOnLoopback(app, { port, option: '--http-port' });
}

/**
 * The event that an HTTP API makes of a request, payload format 2.0, as far as functions read it.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
async function httpEvent(req: HonoRequest) {
  const body = Buffer.from(await req.arrayBuffer());
  const isText = isUtf8(body);
  const { pathname, search } = new URL(req.url);
  return {
    version: '2.0',
    routeKey: `${req.method} ${pathname}`,
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: req.header(),
    requestContext: { http: { method: req.method, path: pathname }, stage: '$default' },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: !isText,
  };
}

/** A process that failed answers nothing. */
function httpResponse({ response, result }: InvocationResult): Response {
  if (response === null) return failed();
  const { statusCode, headers, body } = result as HttpAnswer;
  return new Response(body, { status: statusCode, headers });
}

interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const MAX_PAYLOAD_BYTES = 6_291_456;
const TAIL_BYTES = 4_096;
const PATH = '/2015-03-31/functions/:name/invocations';

/**
 * Lambda's Invoke API, for an AWS SDK or the AWS CLI with another endpoint.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenLambda(port: number, invoke: InvokeLogin): Promise<() => Promise<void>> {
  const message = `expected a payload of at most ${MAX_PAYLOAD_BYTES} bytes`;
  const tooLarge = () => refusal(413, 'RequestTooLargeException', message);
  const app = localApi({ port, maxSize: MAX_PAYLOAD_BYTES, tooLarge });
  app.post(PATH, async ({ req }) => {
    const name = req.param('name');
    // An ARN, the service and its stage, a version or alias may stand around it.
    const parts = name.split(':');
    const functionName = FUNCTION_NAMES.find((one) => parts.some((part) => `-${part}`.endsWith(`-${one}`)));
    if (functionName === undefined)
      return refusal(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    const event = payloadOf(await req.text());
    if (event === undefined)
      return refusal(400, 'InvalidRequestContentException', 'expected a payload of JSON');
    switch (req.header('x-amz-invocation-type') ?? 'RequestResponse') {
      case 'DryRun':
        return new Response(null, { status: 204 });
      case 'Event':
        invoke(functionName, event).catch(() => {});
        return new Response(null, { status: 202 });
      default:
        return payloadResponse(await invoke(functionName, event), req.header('x-amz-log-type') === 'Tail');
    }
  });
  app.notFound(() => refusal(404, 'ResourceNotFoundException', `expected POST ${PATH}`));
  return listenOnLoopback(app, { port, option: '--lambda-port' });
}

/** An invocation without a payload has an empty event. Undefined for what is no JSON. */
function payloadOf(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    return undefined;
  }
}

const ERROR_TYPES: Readonly<Record<string, string>> = {
  crash: 'Runtime.ExitError',
  'time-out': 'Sandbox.Timedout',
};

function payloadResponse(
  { result, response, reason, failed, output }: InvocationResult,
  hasTail: boolean,
): Response {
  const error = { errorType: ERROR_TYPES[reason] ?? 'Error', errorMessage: failed };
  const tail = Buffer.from(output).subarray(-TAIL_BYTES).toString('base64');
  return Response.json(response === null ? error : result, {
    headers: {
      'x-amz-executed-version': '$LATEST',
      ...(response === null && { 'x-amz-function-error': 'Unhandled' }),
      ...(hasTail && { 'x-amz-log-result': tail }),
    },
  });
}

function refusal(status: number, type: string, message: string): Response {
  return Response.json({ Type: 'User', Message: message }, { status, headers: { 'x-amzn-errortype': type } });
}
