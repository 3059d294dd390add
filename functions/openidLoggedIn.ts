import middy from '@middy/core';
import { parseEvent } from '../lib/login/event.ts';
import { httpEnvelope } from '../lib/login/http.ts';
import { limitBody, parseBody, requireJson } from '../lib/login/httpBody.ts';
import { logLogin } from '../lib/login/log.ts';
import { beginLogin, NO_EARLY_TIMEOUT } from '../lib/login/login.ts';
import { respond } from '../lib/login/respond.ts';
import { runHandler } from '../lib/login/runHandler.ts';
import { selfTest } from '../lib/login/selfTest.ts';
import { coldStart, logColdStart, requireReady } from '../lib/login/start.ts';
import { OPENID } from '../lib/openid/kind.ts';

const openidLoggedIn = await coldStart(OPENID, new URL('..', import.meta.url));
const { settings, callerCheck, loginCheck } = openidLoggedIn;

export const handler = middy(NO_EARLY_TIMEOUT)
  .use(logLogin(openidLoggedIn))
  .use(beginLogin({ handlerTimeoutMs: settings.handlerTimeoutMs }))
  .use(selfTest(openidLoggedIn))
  .use(httpEnvelope())
  .use(respond(settings))
  .use(requireReady(openidLoggedIn))
  .use(limitBody({ maxBytes: settings.maxBodyBytes }))
  .use(callerCheck)
  .use(requireJson())
  .use(parseBody())
  .use(parseEvent(OPENID, settings))
  .use(loginCheck)
  .handler(runHandler(openidLoggedIn));

logColdStart(openidLoggedIn);
