/**
 * What every start loads, as one list. Each function, what handlers import and each module that is imported on first use
 * begins with it: the build then makes one file of it. A file more costs half a millisecond of each cold start.
 */
import './openid/defaultHandler.ts';
import './openid/model.ts';
import './saml/defaultHandler.ts';
import './saml/model.ts';
import './login/checks.ts';
import './login/coldStart.ts';
import './login/externalId.ts';
import './login/httpBody.ts';
import './login/httpEnvelope.ts';
import './login/log.ts';
import './login/login.ts';
import './login/parseEvent.ts';
import './login/respond.ts';
import './login/runHandler.ts';
import './login/selfTest.ts';
import './shadow/shadow.ts';
import './toolkit/url.ts';
import '@middy/core';
