import { randomUUID } from 'node:crypto';
import { httpRequestIn } from '../../lib/login/http.ts';
import { isJsonObject } from '../../lib/schema.ts';

export function isInEnvelope(event: unknown): boolean {
  return httpRequestIn(event) !== null;
}

/** The login event in an HTTP envelope; any other event as it is; undefined where the body is no JSON. */
export function eventInside(event: unknown): unknown {
  const request = httpRequestIn(event);
  if (request === null) return event;
  const { body, isBase64Encoded } = request;
  if (body === null) return undefined;
  try {
    return JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  } catch {
    return undefined;
  }
}

/**
 * When a stored event is from, in milliseconds since 1970: `assertionIssued` of a SAML event, `idToken.iat` of an OpenID
 * event, inside its HTTP envelope where it has one. Null where it says neither.
 */
export function frozenTimeOf(event: unknown): number | null {
  const inside = eventInside(event);
  if (!isJsonObject(inside)) return null;
  const { assertion, idToken } = inside;
  const time = isJsonObject(assertion)
    ? Date.parse(String(assertion.assertionIssued))
    : Number(isJsonObject(idToken) ? idToken.iat : Number.NaN) * 1_000;
  return Number.isFinite(time) ? time : null;
}

/** Whether a value of JSON is nested deeper. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  // Level by level: a recursion would end where the stack does.
  let level = [value];
  for (let left = depth; left > 0 && level.length > 0; left--) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  sourceIp: string;
}

/** Bodies that API Gateway hands on as text; all others arrive in base64. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+json|[\w.-]+\+xml)\b)/i;

/**
 * The event that an HTTP API makes of a request, payload format 2.0.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function apiGatewayEvent({ method, url, headers, body, sourceIp }: HttpRequest, now = new Date()) {
  const { pathname, search, searchParams } = new URL(url, 'http://localhost');
  const { cookie, ...others } = headers;
  const isText = TEXT.test(String(headers['content-type'] ?? ''));
  const routeKey = `${method} ${pathname}`;
  return {
    version: '2.0',
    routeKey,
    rawPath: pathname,
    rawQueryString: search.slice(1),
    ...(cookie !== undefined && { cookies: String(cookie).split('; ') }),
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    ...(search.length > 1 && { queryStringParameters: parametersOf(searchParams) }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method,
        path: pathname,
        protocol: 'HTTP/1.1',
        sourceIp,
        userAgent: String(headers['user-agent'] ?? ''),
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Values of a repeated parameter are joined. */
function parametersOf(parameters: URLSearchParams): Record<string, string> {
  const byName = Map.groupBy(parameters, ([name]) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, those]) => [name, those.map(([, value]) => value).join(',')]),
  );
}
