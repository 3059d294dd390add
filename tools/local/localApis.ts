/** The two ports that ask for no token, as their originals on AWS have other guards: the routes of the HTTP API, and Lambda's own. */
import { isUtf8 } from 'node:buffer';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { listenOnLoopback, requireHost } from '../shared/loopback.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import type { InvocationResult } from './invocation.ts';

export type InvokeLogin = (functionName: string, event: unknown) => Promise<InvocationResult>;

function localApi(
  port: number,
  maxSize: number,
  refused: (status: number, message: string) => Response,
): Hono {
  const app = new Hono();
  app.use(requireHost(port, { isTunnelled: true }));
  app.use(async ({ req }, next) => {
    // Only browsers send these headers. A page of any site can post to this machine: it cannot read the answer, but a
    // handler would run with what it posts.
    const isFromPage = req.header('origin') ?? req.header('sec-fetch-site');
    return isFromPage === undefined ? next() : refused(403, 'web pages may not send requests here');
  });
  app.use(bodyLimit({ maxSize, onError: () => refused(413, `expected at most ${maxSize} bytes`) }));
  app.onError(() => refused(500, 'Internal Server Error'));
  app.notFound(() => refused(404, 'Not Found'));
  return app;
}

const MAX_HTTP_BYTES = 10_000_000;

type HttpResult = { statusCode: number; headers: HeadersInit; body: string };

/**
 * The routes of the deployed HTTP API.
 *
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenHttp(port: number, invoke: InvokeLogin): Promise<() => Promise<void>> {
  const refused = (status: number, message: string) => Response.json({ message }, { status });
  const app = localApi(port, MAX_HTTP_BYTES, refused);
  for (const [word, functionName] of Object.entries(FUNCTIONS)) {
    app.post(`/${word}`, async ({ req }) => {
      const { response, result } = await invoke(functionName, await httpEvent(req));
      // A process that failed answers nothing.
      if (response === null) return refused(500, 'Internal Server Error');
      const { statusCode: status, headers, body } = result as HttpResult;
      return new Response(body, { status, headers });
    });
  }
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

const MAX_PAYLOAD_BYTES = 6_291_456;

/**
 * Lambda's Invoke API, for an AWS SDK or the AWS CLI with another endpoint.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenLambda(port: number, invoke: InvokeLogin): Promise<() => Promise<void>> {
  const app = localApi(port, MAX_PAYLOAD_BYTES, refusal);
  app.post('/2015-03-31/functions/:name/invocations', async ({ req }) => {
    // An ARN, the service and its stage, a version or alias may stand around it.
    const functionName = FUNCTION_NAMES.find((one) => req.param('name').includes(one));
    if (functionName === undefined) return refusal(404, 'expected the name of a function of this project');
    // An invocation without a payload has an empty event.
    const event = (await req.text()) === '' ? {} : await req.json().catch(() => undefined);
    if (event === undefined) return refusal(400, 'expected a payload of JSON');
    const invoked = invoke(functionName, event);
    if (req.header('x-amz-invocation-type') !== 'Event') return payloadResponse(await invoked);
    invoked.catch(() => {});
    return new Response(null, { status: 202 });
  });
  return listenOnLoopback(app, { port, option: '--lambda-port' });
}

function payloadResponse({ result, response, reason, failed }: InvocationResult): Response {
  if (response !== null) return Response.json(result);
  const error = { errorType: reason, errorMessage: failed };
  return Response.json(error, { headers: { 'x-amz-function-error': 'Unhandled' } });
}

/** The codes by which AWS SDKs know a refusal. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'InvalidRequestContentException',
  404: 'ResourceNotFoundException',
  413: 'RequestTooLargeException',
};

function refusal(status: number, message: string): Response {
  const headers = { 'x-amzn-errortype': TYPES[status] ?? 'ServiceException' };
  return Response.json({ Type: 'User', Message: message }, { status, headers });
}
