import '../lib/core.ts';
import { samlExternalId } from '../lib/automation/saml/externalId.ts';
import { handleSamlUserLoggedIn } from '../lib/automation/saml/handler.ts';
import { SamlUserLoggedInEvent } from '../lib/automation/saml/model.ts';
import { ASSERTION_CHECK, checkAssertion } from '../lib/checks/checkAssertion.ts';
import { CALLER_CHECK, checkCaller } from '../lib/checks/checkCaller.ts';
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
