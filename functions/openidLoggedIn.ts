import '../lib/core.ts';
import { openIdExternalId } from '../lib/automation/openid/externalId.ts';
import { handleOpenIdUserLoggedIn } from '../lib/automation/openid/handler.ts';
import { OpenIdUserLoggedInEvent } from '../lib/automation/openid/model.ts';
import { CALLER_CHECK, checkCaller } from '../lib/checks/checkCaller.ts';
import { checkIdToken, ID_TOKEN_CHECK } from '../lib/checks/checkIdToken.ts';
import { answer } from '../lib/runtime/answer.ts';
import { chain } from '../lib/runtime/chain.ts';
import { coldStart } from '../lib/runtime/coldStart.ts';
import { externalId } from '../lib/runtime/externalId.ts';
import { limitBody, parseBody, requireJson } from '../lib/runtime/httpBody.ts';
import { httpEnvelope } from '../lib/runtime/httpEnvelope.ts';
import { logLogin } from '../lib/runtime/logLogin.ts';
import { parseEvent } from '../lib/runtime/parseEvent.ts';
import { requireHandler } from '../lib/runtime/requireHandler.ts';
import { runHandler } from '../lib/runtime/runHandler.ts';
import { setDeadline } from '../lib/runtime/setDeadline.ts';
import { selfTest } from '../lib/selfTest/selfTest.ts';

const openidLoggedIn = await coldStart({
  name: 'openidLoggedIn',
  root: new URL('..', import.meta.url),
  checks: [CALLER_CHECK, ID_TOKEN_CHECK],
  kind: 'OpenID',
  handlerModule: 'openidHandlerModule',
  defaultHandler: handleOpenIdUserLoggedIn,
  exportName: 'handleOpenIdUserLoggedIn',
});

export const handler = chain()
  .use(logLogin(openidLoggedIn))
  .use(setDeadline(openidLoggedIn))
  .use(selfTest(openidLoggedIn))
  .use(httpEnvelope())
  .use(answer(openidLoggedIn))
  .use(requireHandler(openidLoggedIn))
  .use(limitBody(openidLoggedIn))
  .use(checkCaller(openidLoggedIn))
  .use(requireJson())
  .use(parseBody())
  .use(parseEvent(OpenIdUserLoggedInEvent, (event) => event.id_token.iss))
  .use(checkIdToken(openidLoggedIn))
  .use(externalId(openidLoggedIn.settings.openidExternalId, openIdExternalId))
  .use(runHandler(openidLoggedIn));
