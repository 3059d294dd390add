/**
 * What every start loads, as one list. Each function, what handlers import and each module that is imported on first use
 * begins with it: the build then makes one file of it. A file more costs half a millisecond of each cold start.
 */
import './automation/openid/externalId.ts';
import './automation/openid/handler.ts';
import './automation/openid/model.ts';
import './automation/saml/externalId.ts';
import './automation/saml/handler.ts';
import './automation/saml/model.ts';
import './checks/checkAssertion.ts';
import './checks/checkCaller.ts';
import './checks/checkIdToken.ts';
import './runtime/answer.ts';
import './runtime/chain.ts';
import './runtime/coldStart.ts';
import './runtime/externalId.ts';
import './runtime/httpBody.ts';
import './runtime/httpEnvelope.ts';
import './runtime/logLogin.ts';
import './runtime/parseEvent.ts';
import './runtime/requireHandler.ts';
import './runtime/runHandler.ts';
import './runtime/setDeadline.ts';
import './selfTest/selfTest.ts';
import './toolkit/url.ts';
