/** Logins as the functions answer them: decided by a real mapping, or refused for a reason. */
import * as v from 'valibot';
import type { LoginKind } from '../../lib/kinds.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { UserLoginResponse } from '../../lib/profile/response.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import type { AnsweredLogin } from '../../tools/explain/explanation.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import { DECISION, type LogRecord } from '../../tools/local/process/logRecords.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { openIdHandler, samlHandler } from '../profile/decided.ts';
import { type attribute, openIdEvent, samlEvent } from '../support/wire.ts';

// Read at the first login of a file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const STARTED = { event: 'cold_start', requiredFields: ['first_name', 'last_name', 'email'] };

/** @param record of the login */
export function answered(
  kind: LoginKind,
  event: unknown,
  result: object,
  record: LogRecord,
  decisions: readonly LogRecord[] = [],
): AnsweredLogin {
  const functionName = kind === 'SAML' ? 'samlLoggedIn' : 'openidLoggedIn';
  const records = [STARTED, ...decisions, { event: 'login', handler: 'handlers/own', ...record }];
  const answer = { result, failure: null, records, output: '', ms: 1, requests: noRequests() };
  const fn = { name: functionName, root: '', version: '', env: {} };
  return { answered: resultOf(answer, fn, new Stage()), event, functionName };
}

/** @param claims beside a name and an address, or in the place of them */
export function openIdLogin(mapping: Mapping, claims: Record<string, unknown> = {}): AnsweredLogin {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, claims);
  // As it arrives: JSON has no undefined.
  const arrived = JSON.parse(JSON.stringify(event));
  const response = openIdHandler(mapping)(v.parse(OpenIdUserLoggedInEvent, arrived));
  return decided('OpenID', arrived, response, mapping);
}

/** @param attributes beside those of the event: a name and an address */
export function samlLogin(
  mapping: Mapping,
  attributes: ReturnType<typeof attribute>[],
  event = samlEvent(),
): AnsweredLogin {
  event.assertion.assertionAttributeStatement.push(...attributes);
  return decided('SAML', event, samlHandler(mapping)(v.parse(SamlUserLoggedInEvent, event)), mapping);
}

function decided(
  kind: LoginKind,
  event: unknown,
  response: UserLoginResponse,
  mapping: Mapping,
): AnsweredLogin {
  const { reason, type, explain } = decisionOf(response) ?? {};
  const decision = { reason, explanation: explain?.() };
  return answered(kind, event, { ...response }, decision, [{ event: DECISION, type, mapping, ...decision }]);
}

const ISSUERS = { OpenID: 'https://idp.example.org', SAML: 'https://idp.example.org/saml' } as const;

/** A login that ended before a handler, or in one of code. */
export function refusedLogin(kind: LoginKind, reason: string, details: LogRecord = {}): AnsweredLogin {
  const event = kind === 'SAML' ? samlEvent() : openIdEvent();
  const result = { type: 'ErrorResponse', message: '' };
  return answered(kind, event, result, { reason, issuer: ISSUERS[kind], ...details });
}
