/**
 * Lambda's Invoke API on this machine, for an AWS SDK or the AWS CLI with another endpoint.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
import { listenOnLoopback } from '../shared/loopback.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { InvocationResult } from './invocation.ts';
import { type AnswerLogin, localApi } from './localApi.ts';

/** Of the payload: 6 MB. */
const MAX_BYTES = 6_291_456;
/** Of the log, for LogType Tail. */
const TAIL_BYTES = 4_096;
const PATH = '/2015-03-31/functions/:name/invocations';
/** What may stand around the name: an ARN, the service and its stage, a version or alias. */
const NAME = new RegExp(
  String.raw`^(?:arn:aws[\w-]*:lambda:[\w-]*:\d*:function:|\d{12}:function:)?(?:[\w-]+-)?(${FUNCTION_NAMES.join('|')})(?::[\w$-]+)?$`,
);
/** Lambda's limit, in characters. */
const MAX_NAME = 170;

/**
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available
 */
export function listenLambda(port: number, answer: AnswerLogin): Promise<() => Promise<void>> {
  const message = `expected a payload of at most ${MAX_BYTES} bytes`;
  const tooLarge = () => refusal(413, 'RequestTooLargeException', message);
  const app = localApi({ port, maxSize: MAX_BYTES, tooLarge });
  app.post(PATH, async ({ req }) => {
    const name = req.param('name');
    const functionName = name.length > MAX_NAME ? undefined : NAME.exec(name)?.[1];
    if (functionName === undefined)
      return refusal(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    const event = eventOf(await req.text());
    if (event === undefined)
      return refusal(400, 'InvalidRequestContentException', 'expected a payload of JSON');
    switch (req.header('x-amz-invocation-type') ?? 'RequestResponse') {
      case 'DryRun':
        return new Response(null, { status: 204 });
      case 'Event':
        answer(functionName, event).catch(() => {});
        return new Response(null, { status: 202 });
      default:
        return responseOf(await answer(functionName, event), req.header('x-amz-log-type') === 'Tail');
    }
  });
  app.notFound(() => refusal(404, 'ResourceNotFoundException', `expected POST ${PATH}`));
  return listenOnLoopback(app, { port, option: '--lambda-port' });
}

/** An invocation without a payload has an empty event. Undefined for what is no JSON. */
function eventOf(body: string): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What the errors of a process are called. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  crash: 'Runtime.ExitError',
  'time-out': 'Sandbox.Timedout',
};

function responseOf(
  { result, response, reason, failed, output }: InvocationResult,
  hasTail: boolean,
): Response {
  const error = { errorType: ERROR_TYPES[reason] ?? 'Error', errorMessage: failed };
  return Response.json(response === null ? error : result, {
    headers: {
      'x-amz-executed-version': '$LATEST',
      ...(response === null && { 'x-amz-function-error': 'Unhandled' }),
      ...(hasTail && { 'x-amz-log-result': Buffer.from(output).subarray(-TAIL_BYTES).toString('base64') }),
    },
  });
}

function refusal(status: number, type: string, message: string): Response {
  return Response.json({ Type: 'User', Message: message }, { status, headers: { 'x-amzn-errortype': type } });
}
