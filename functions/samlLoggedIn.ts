import middy from '@middy/core';
import { checkAssertion, verifyWebhookSignature } from '../lib/login/checks.ts';
import { coldStart, loadCheck, logColdStart, requireReady } from '../lib/login/coldStart.ts';
import { samlExternalId } from '../lib/login/externalId.ts';
import { limitBody, parseBody, requireJson } from '../lib/login/httpBody.ts';
import { httpEnvelope } from '../lib/login/httpEnvelope.ts';
import { logLogin } from '../lib/login/log.ts';
import { beginLogin, NO_EARLY_TIMEOUT } from '../lib/login/login.ts';
import { parseEvent } from '../lib/login/parseEvent.ts';
import { respond } from '../lib/login/respond.ts';
import { runHandler } from '../lib/login/runHandler.ts';
import { selfTest } from '../lib/login/selfTest.ts';
import { handleSamlUserLoggedIn } from '../lib/saml/defaultHandler.ts';
import { SamlUserLoggedInEvent } from '../lib/saml/model.ts';
import { useShadow } from '../lib/shadow/shadow.ts';

const samlLoggedIn = await coldStart({
  name: 'samlLoggedIn',
  kind: 'SAML',
  root: new URL('..', import.meta.url),
  defaultHandler: handleSamlUserLoggedIn,
  exportName: 'handleSamlUserLoggedIn',
});
const { settings } = samlLoggedIn;
const shadow = await useShadow(samlLoggedIn);

export const handler = middy(NO_EARLY_TIMEOUT)
  .use(shadow.compare)
  .use(logLogin(samlLoggedIn))
  .use(beginLogin({ handlerTimeoutMs: settings.handlerTimeoutMs }))
  .use(selfTest(samlLoggedIn))
  .use(httpEnvelope())
  .use(respond({ names: settings.responseNames }))
  .use(requireReady(samlLoggedIn))
  .use(limitBody({ maxBytes: settings.maxBodyBytes }))
  .use(await loadCheck(samlLoggedIn, verifyWebhookSignature))
  .use(requireJson())
  .use(parseBody())
  .use(
    parseEvent(SamlUserLoggedInEvent, {
      issuerOf: (event) => event.assertion.issuer,
      externalIdOf: samlExternalId(settings.samlExternalId),
    }),
  )
  .use(await loadCheck(samlLoggedIn, checkAssertion))
  .use(shadow.copyEvent)
  .handler(runHandler(samlLoggedIn));

logColdStart(samlLoggedIn);
