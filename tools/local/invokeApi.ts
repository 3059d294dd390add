/**
 * Lambda's Invoke API on this machine, for an AWS SDK or the AWS CLI with another endpoint.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
import { FUNCTION_NAMES } from '../shared/functions.ts';
import { type Listening, listen, type Received, type Sent } from '../shared/listen.ts';
import type { Answered } from './answered.ts';
import type { AnswerLogin } from './httpRoutes.ts';

/** Of the payload: 6 MB. */
const MAX_BYTES = 6_291_456;
/** Of the log, for LogType Tail. */
const TAIL_BYTES = 4_096;
const PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/;
/** What may stand around the name: an ARN, the service and its stage, Managed Instances, a version or alias. */
const NAME = new RegExp(
  String.raw`^(?:arn:aws[\w-]*:lambda:[\w-]*:\d*:function:|\d{12}:function:)?(?:login-hooks-[\w-]+-)?(${FUNCTION_NAMES.join('|')})(?:-managed)?(?::[\w$-]+)?$`,
);
/** Lambda's limit, in characters. */
const MAX_NAME = 170;

/** @throws {UnusableInput} where the port is not available */
export function listenLambda(port: number, answer: AnswerLogin): Promise<Listening> {
  const tooLarge = refusal(
    413,
    'RequestTooLargeException',
    `expected a payload of at most ${MAX_BYTES} bytes`,
  );
  const options = { port, option: '--lambda-port', maxBytes: MAX_BYTES, tooLarge };
  return listen(options, (received) => invoke(received, answer));
}

async function invoke({ request, body }: Received, answer: AnswerLogin): Promise<Sent> {
  const [, encoded = ''] = PATH.exec(request.url ?? '') ?? [];
  if (request.method !== 'POST' || encoded === '') {
    return refusal(
      404,
      'ResourceNotFoundException',
      'expected POST /2015-03-31/functions/<name>/invocations',
    );
  }
  const functionName = functionNamed(encoded);
  if (functionName === undefined) {
    return refusal(404, 'ResourceNotFoundException', `Function not found: ${encoded}`);
  }
  const event = eventOf(body);
  if (event === undefined)
    return refusal(400, 'InvalidRequestContentException', 'expected a payload of JSON');
  switch (request.headers['x-amz-invocation-type'] ?? 'RequestResponse') {
    case 'DryRun':
      return { status: 204 };
    case 'Event':
      answer(functionName, event).catch(() => {});
      return { status: 202 };
    default:
      return responseOf(await answer(functionName, event), request.headers['x-amz-log-type'] === 'Tail');
  }
}

/** @param encoded as a part of the path */
function functionNamed(encoded: string): string | undefined {
  if (encoded.length > MAX_NAME * '%00'.length) return undefined;
  try {
    return NAME.exec(decodeURIComponent(encoded))?.[1];
  } catch {
    return undefined;
  }
}

/** An invocation without a payload has an empty event. Undefined for what is no JSON. */
function eventOf(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** What the errors of a process are called. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  crash: 'Runtime.ExitError',
  'time-out': 'Sandbox.Timedout',
};

function responseOf({ result, response, reason, failed, output }: Answered, hasTail: boolean): Sent {
  const error = { errorType: ERROR_TYPES[reason] ?? 'Error', errorMessage: failed };
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-amz-executed-version': '$LATEST',
      ...(response === null && { 'x-amz-function-error': 'Unhandled' }),
      ...(hasTail && { 'x-amz-log-result': Buffer.from(output).subarray(-TAIL_BYTES).toString('base64') }),
    },
    body: JSON.stringify(response === null ? error : result),
  };
}

function refusal(status: number, type: string, message: string): Sent {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
    body: JSON.stringify({ Type: 'User', Message: message }),
  };
}
