/** What a function does at its start: reads its settings, and loads its handler and its checks. And what it answers without them. */
import { withinDeadline } from '../invocation.ts';
import { KINDS } from '../kinds.ts';
import { type Kind, kindOf } from '../profile/kind.ts';
import type { Configuration } from '../readSettings.ts';
import { asLoginError, LoginError, SecretFailed } from '../reasons.ts';
import { isJsonObject } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { type LoginHandler, loadHandler } from './handlerModule.ts';
import { createLog, describeWhole, logUnhandledErrors } from './log.ts';
import type { Guard, Middleware, StartedFunction } from './login.ts';

/**
 * Reads the settings, and loads all that they name. Never throws: a failure answers every login. The settings are complete
 * all the same: the defaults, where they cannot be read.
 *
 * @param root the bundle's root, a `file:` URL that ends with `/`
 */
export async function start<TEvent>(
  kind: Kind<TEvent>,
  root: URL,
  { settings, logging, problems }: Configuration,
): Promise<StartedFunction<TEvent>> {
  const log = createLog(logging);
  logUnhandledErrors(log);
  const { functionName: name, handlerModule } = KINDS[kind.names.kind];
  const module = settings[handlerModule];
  const handlerSource = problems.length > 0 ? 'undecided' : (module ?? 'default');
  const fn = { kind, name, settings, log, handlerSource };
  try {
    if (problems.length > 0) throw new LoginError('configuration_unusable', { problems });
    return {
      ...fn,
      handler:
        module === null
          ? (kind.defaultHandler as LoginHandler)
          : await loadHandler(module, { kind: kind.names.kind, root }),
      callerCheck: await loadCallerCheck(settings),
      loginCheck: await kind.loadCheck(settings),
      failure: null,
    };
  } catch (error) {
    const failure = asLoginError(error);
    // Stryker disable next-line BlockStatement: nothing calls it, because `requireReady` refuses before.
    const refuse = () => {
      throw failure;
    };
    // Stryker disable next-line ArrayDeclaration: nothing runs these checks either.
    return { ...fn, handler: refuse, callerCheck: [], loginCheck: null, failure };
  }
}

/**
 * Refuses an HTTP request that the service did not sign, where `CALLER_CHECK` is `signature`. Where it is `iam`, the route
 * has refused every caller without the right to call. Only IAM guards direct invocations.
 *
 * What checks is loaded here, during the init phase, when Lambda gives a whole processor.
 *
 * @throws {LoginError} `signature_…`, at each login
 * @throws {SecretFailed}
 */
async function loadCallerCheck(settings: Settings): Promise<Guard[]> {
  if (settings.callerCheck === 'iam') return [];
  const { loadSecretSource, requireSignature } = await import('../webhook/signature.ts');
  await loadSecretSource();
  // Stryker disable next-line StringLiteral: the settings have a secret where a signature is asked for.
  const secretId = settings.signingSecretId ?? '';
  const timedOut = () => new SecretFailed('secret_timed_out', secretId);
  return [(http, invocation) => withinDeadline(invocation, () => requireSignature(http, settings), timedOut)];
}

/**
 * Logs what each check is set to, the issuers that one which is on accepts, and what a profile must have; or why every login is
 * answered with an error. `sharedIdentifiers` says that people of several issuers may have one identifier.
 */
export function logStart<TEvent>(fn: StartedFunction<TEvent>): void {
  const { kind, name, settings, log, handlerSource, handler, failure } = fn;
  const { check, issuers, externalId } = KINDS[kind.names.kind];
  const accepted = settings[check] === 'on' ? [...settings[issuers].keys()] : null;
  // A mapping says itself whether its issuers share identifiers.
  const mayShare = failure === null && kindOf(handler) === undefined && settings[externalId] !== 'off';
  const inForce = {
    callerCheck: settings.callerCheck,
    [check]: settings[check],
    ...(accepted && { issuers: accepted }),
    requiredFields: settings.requiredFields,
  };
  log(failure ? 'error' : 'info', () => ({
    event: 'cold_start',
    function: name,
    handler: handlerSource,
    ...(failure?.code !== 'configuration_unusable' && inForce),
    ...(mayShare && accepted?.length !== 1 && { sharedIdentifiers: true }),
    ...(failure && { reason: failure.code }),
    ...(failure?.cause !== undefined && { error: describeWhole(failure.cause) }),
    ...failure?.details,
  }));
}

/**
 * Lets no login pass where the settings are unusable, or the handler or a check could not be loaded.
 *
 * @throws {LoginError} `configuration_unusable`, `handler_not_loaded` or `internal_error`, without the cause: the record of the
 *   start has it
 */
export function requireReady<TEvent>({ failure }: StartedFunction<TEvent>): Middleware {
  return {
    before() {
      if (failure) throw new LoginError(failure.code, failure.details);
    },
  };
}

/**
 * Answers a direct invocation that is exactly `{"selfTest": true}` with what an operator wants to know after a
 * deployment. Never over HTTP: the event of a request has more in it.
 */
export function answerSelfTest<TEvent>(fn: StartedFunction<TEvent>): Middleware {
  return {
    before({ event, context }) {
      if (!isJsonObject(event) || event.selfTest !== true || Object.keys(event).length !== 1)
        return undefined;
      return import('./selfTest.ts').then(({ report }) => report(fn, context.login.invocation));
    },
  };
}
