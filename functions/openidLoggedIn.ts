import '../lib/core.ts';
import { answer } from '../lib/login/answer.ts';
import { chain } from '../lib/login/chain.ts';
import { CALLER_CHECK, checkCaller } from '../lib/login/checkCaller.ts';
import { checkIdToken, ID_TOKEN_CHECK } from '../lib/login/checkIdToken.ts';
import { coldStart } from '../lib/login/coldStart.ts';
import { externalId } from '../lib/login/externalId.ts';
import { limitBody, parseBody, requireJson } from '../lib/login/httpBody.ts';
import { httpEnvelope } from '../lib/login/httpEnvelope.ts';
import { logLogin } from '../lib/login/logLogin.ts';
import { parseEvent } from '../lib/login/parseEvent.ts';
import { requireHandler } from '../lib/login/requireHandler.ts';
import { runHandler } from '../lib/login/runHandler.ts';
import { selfTest } from '../lib/login/selfTest.ts';
import { setDeadline } from '../lib/login/setDeadline.ts';
import { openIdExternalId } from '../lib/openid/externalId.ts';
import { handleOpenIdUserLoggedIn } from '../lib/openid/handler.ts';
import { OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';

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
