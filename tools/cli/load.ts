/**
 * `npm run load`: sends sample events to a served or deployed function at a steady rate, and tells how fast and how rightly
 * it answers. The figures go to stdout. Exit code 1 where a login was throttled, failed, or was answered in another way
 * than expected.
 */

import { KINDS } from '../../lib/kinds.ts';
import { firstLogin } from '../load/firstLogin.ts';
import { invokeUrl, regionOfFunction } from '../load/lambda.ts';
import { type Load, runLoad } from '../load/load.ts';
import { type LoadSample, loadSamples } from '../load/loadSamples.ts';
import { isClean, reportOf } from '../load/report.ts';
import { SIGNED_BY, type SignedBy, signer } from '../load/signing.ts';
import { shownTarget, type Target, targetAt } from '../load/target.ts';
import { accessAws, REGION, regionOf } from '../shared/awsAccess.ts';
import { type Arguments, STAGE, UnusableInput, wholeNumber } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import type { Io } from '../shared/process.ts';
import { FUNCTIONS } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';

/** Where more is asked for, the reason why not is told. */
const LIMITS = {
  /** Logins a second. */
  rate: { max: 500, reason: 'one process cannot send more on time' },
  seconds: { max: 300, reason: 'each login of a deployed function costs money' },
  timeout: { max: 30, reason: 'an HTTP API ends a login after that' },
} as const;

const LOCAL = 'http://127.0.0.1:3000';

export const COMMAND = {
  name: 'load',
  purpose: 'sends sample events to a function at a steady rate, and measures the responses',
  positionals: [
    { name: '<openid|saml>', about: 'the kind of login', choices: Object.keys(FUNCTIONS) },
    {
      name: '<event.json>',
      about: 'events or folders of them; default: all of the function',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    target: {
      type: 'string',
      value: '<url>',
      about: `the URL of the function; default: that of npm start, ${LOCAL}/openid or /saml`,
    },
    function: {
      type: 'string',
      value: '<name or ARN>',
      about: 'invokes this function directly, through the Lambda API',
    },
    qualifier: { type: 'string', value: '<alias>', about: 'the alias or version of --function' },
    region: REGION,
    sign: {
      type: 'string',
      value: `<${SIGNED_BY.join('|')}>`,
      choices: SIGNED_BY,
      about:
        'how requests are signed; default: signature if CALLER_CHECK says so, else none on this machine and iam elsewhere',
    },
    rate: {
      type: 'string',
      value: '<number>',
      default: '10',
      about: `logins a second, at most ${LIMITS.rate.max}`,
    },
    seconds: {
      type: 'string',
      value: '<number>',
      default: '10',
      about: `duration of the load in seconds, at most ${LIMITS.seconds.max}`,
    },
    timeout: {
      type: 'string',
      value: '<seconds>',
      default: '10',
      about: `how long a login may take, at most ${LIMITS.timeout.max}`,
    },
    'i-operate-this': {
      type: 'boolean',
      about: 'confirms that a target on another machine is yours and may be put under load',
    },
    stage: STAGE,
  },
  example: 'saml --rate 50 --seconds 30',
  found: 'a login was throttled, failed, or had an unexpected response',
} as const satisfies Command;

type Given = Arguments<typeof COMMAND.options>;
type Values = Given['values'];

export async function main(
  { positionals: [kind = '', ...paths], values }: Given,
  { untilEnded }: Io,
): Promise<0 | 1> {
  const limits = limitsOf(values);
  refuseContradictions(values);
  const stage = new Stage(values.stage);
  accessAws(stage);
  const functionName = FUNCTIONS[kind] ?? '';
  const { samples, leftOut, handler } = await loadSamples(functionName, paths, stage.handlerOf(functionName));
  const target = await targetAt(urlOf(functionName, values), values['i-operate-this'] === true);
  const by = values.sign === undefined ? defaultSigning(target, values) : (values.sign as SignedBy);
  const ending = new AbortController();
  void untilEnded().then(() => ending.abort());
  const load: Load = {
    ...limits,
    target,
    isDirect: values.function !== undefined,
    sign: await signer(by, { url: target.url, ...scopeOf(values) }),
    samples,
    signal: ending.signal,
  };
  console.error(
    `${shownTarget(target)}, signature: ${by}\n${samples.length} sample events of handler ${handler} in turn, ${leftOut} others left out`,
  );
  try {
    return await measure(load);
  } finally {
    target.agent.destroy();
  }
}

async function measure(load: Load): Promise<0 | 1> {
  const firstMs = await firstLogin(load, load.samples[0] as LoadSample);
  console.error(`The first login took ${firstMs.toFixed(0)} ms, and does not count. Ctrl-C ends the load.\n`);
  const loaded = await runLoad(load);
  console.log(reportOf(loaded, load.rate));
  return isClean(loaded) ? 0 : 1;
}

function limitsOf(values: Values): Pick<Load, 'rate' | 'seconds' | 'timeoutMs'> {
  return {
    rate: limited('rate', values),
    seconds: limited('seconds', values),
    timeoutMs: limited('timeout', values) * 1_000,
  };
}

/** @throws {UnusableInput} for more than the limit: a load that is smaller than what was asked for would mislead */
function limited(option: keyof typeof LIMITS, values: Values): number {
  const found = values[option] ?? COMMAND.options[option].default;
  const { max, reason } = LIMITS[option];
  if (/^\d+$/.test(found) && Number(found) > max) {
    throw new UnusableInput(`--${option}: expected at most ${max}, found ${found}: ${reason}`);
  }
  return wholeNumber(`--${option}`, found, 1, max);
}

function refuseContradictions(values: Values): void {
  if (values.function !== undefined && values.target !== undefined) {
    throw new UnusableInput(
      '--function: expected without --target; AWS_ENDPOINT_URL_LAMBDA sets an endpoint',
    );
  }
  if (values.function === undefined && values.qualifier !== undefined) {
    throw new UnusableInput('--qualifier: expected together with --function');
  }
  if (values.function !== undefined && values.sign === 'signature') {
    throw new UnusableInput(
      '--sign: expected none or iam, because Lambda itself checks who invokes a function',
    );
  }
}

function urlOf(functionName: string, values: Values): string {
  if (values.function !== undefined) return invokeUrl(invokedBy(values));
  return values.target ?? `${LOCAL}/${KINDS[kindOf(functionName)].word}`;
}

function invokedBy({ function: name = '', qualifier, region }: Values) {
  return { name, qualifier, region: regionOf(region) };
}

function scopeOf(values: Values): { service: string; region: string } {
  if (values.function === undefined) return { service: 'execute-api', region: regionOf(values.region) };
  return { service: 'lambda', region: regionOfFunction(invokedBy(values)) };
}

function defaultSigning({ isLoopback }: Target, values: Values): SignedBy {
  if (values.function === undefined && process.env.CALLER_CHECK === 'signature') return 'signature';
  return isLoopback ? 'none' : 'iam';
}
