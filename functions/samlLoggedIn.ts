import '../lib/core.ts';
import { answer } from '../lib/login/answer.ts';
import { chain } from '../lib/login/chain.ts';
import { ASSERTION_CHECK, checkAssertion } from '../lib/login/checkAssertion.ts';
import { CALLER_CHECK, checkCaller } from '../lib/login/checkCaller.ts';
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
import { samlExternalId } from '../lib/saml/externalId.ts';
import { handleSamlUserLoggedIn } from '../lib/saml/handler.ts';
import { SamlUserLoggedInEvent } from '../lib/saml/model.ts';

const samlLoggedIn = await coldStart({
  name: 'samlLoggedIn',
  root: new URL('..', import.meta.url),
  checks: [CALLER_CHECK, ASSERTION_CHECK],
  kind: 'SAML',
  handlerModule: 'samlHandlerModule',
  defaultHandler: handleSamlUserLoggedIn,
  exportName: 'handleSamlUserLoggedIn',
});

export const handler = chain()
  .use(logLogin(samlLoggedIn))
  .use(setDeadline(samlLoggedIn))
  .use(selfTest(samlLoggedIn))
  .use(httpEnvelope())
  .use(answer(samlLoggedIn))
  .use(requireHandler(samlLoggedIn))
  .use(limitBody(samlLoggedIn))
  .use(checkCaller(samlLoggedIn))
  .use(requireJson())
  .use(parseBody())
  .use(parseEvent(SamlUserLoggedInEvent, (event) => event.assertion.issuer))
  .use(checkAssertion(samlLoggedIn))
  .use(externalId(samlLoggedIn.settings.samlExternalId, samlExternalId))
  .use(runHandler(samlLoggedIn));
