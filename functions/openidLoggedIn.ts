import middy from '@middy/core';
import { checkIdToken, verifyWebhookSignature } from '../lib/login/checks.ts';
import { coldStart, loadCheck, logColdStart, requireReady } from '../lib/login/coldStart.ts';
import { openIdExternalId } from '../lib/login/externalId.ts';
import { limitBody, parseBody, requireJson } from '../lib/login/httpBody.ts';
import { httpEnvelope } from '../lib/login/httpEnvelope.ts';
import { logLogin } from '../lib/login/log.ts';
import { beginLogin, NO_EARLY_TIMEOUT } from '../lib/login/login.ts';
import { parseEvent } from '../lib/login/parseEvent.ts';
import { respond } from '../lib/login/respond.ts';
import { runHandler } from '../lib/login/runHandler.ts';
import { selfTest } from '../lib/login/selfTest.ts';
import { handleOpenIdUserLoggedIn } from '../lib/openid/defaultHandler.ts';
import { OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';
import { useShadow } from '../lib/shadow/shadow.ts';

const openidLoggedIn = await coldStart({
  name: 'openidLoggedIn',
  kind: 'OpenID',
  root: new URL('..', import.meta.url),
  defaultHandler: handleOpenIdUserLoggedIn,
  exportName: 'handleOpenIdUserLoggedIn',
});
const { settings } = openidLoggedIn;
const shadow = await useShadow(openidLoggedIn);

export const handler = middy(NO_EARLY_TIMEOUT)
  .use(shadow.compare)
  .use(logLogin(openidLoggedIn))
  .use(beginLogin({ handlerTimeoutMs: settings.handlerTimeoutMs }))
  .use(selfTest(openidLoggedIn))
  .use(httpEnvelope())
  .use(respond({ names: settings.responseNames }))
  .use(requireReady(openidLoggedIn))
  .use(limitBody({ maxBytes: settings.maxBodyBytes }))
  .use(await loadCheck(openidLoggedIn, verifyWebhookSignature))
  .use(requireJson())
  .use(parseBody())
  .use(
    parseEvent(OpenIdUserLoggedInEvent, {
      issuerOf: (event) => event.id_token.iss,
      externalIdOf: openIdExternalId(settings.openidExternalId),
    }),
  )
  .use(await loadCheck(openidLoggedIn, checkIdToken))
  .use(shadow.copyEvent)
  .handler(runHandler(openidLoggedIn));

logColdStart(openidLoggedIn);
