/** An event of the service, in an HTTP envelope or not. */
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { problemsOf } from '../../lib/schema.ts';
import { functionsOf } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import { kindOf } from '../shared/functions.ts';
import type { Captured } from './captured.ts';
import type { Finding } from './findings.ts';
import { problem } from './findings.ts';
import { decodedToken } from './idToken.ts';
import { type Judging, judgingOf } from './judging.ts';
import { openIdProfileFindings, samlProfileFindings } from './profileFindings.ts';
import { assertionFindings } from './samlFindings.ts';
import { tokenFindings } from './tokenFindings.ts';

type Environment = (functionName: string) => NodeJS.ProcessEnv;

export function readEvent(event: Record<string, unknown>, environment: Environment): Omit<Captured, 'where'> {
  const [functionName = 'openidLoggedIn'] = functionsOf(event);
  const inside = eventInside(event);
  const env = environment(functionName);
  const findings = FINDINGS[kindOf(functionName)](inside, env);
  return { kind: 'event', functionName, events: { plain: event, known: event }, findings };
}

const FINDINGS = { OpenID: openIdFindings, SAML: samlFindings };

function samlFindings(event: unknown, env: NodeJS.ProcessEnv): Finding[] {
  const result = v.safeParse(SamlUserLoggedInEvent, event);
  if (!result.success) return [invalid(result.issues)];
  const judging = judgingOf('SAML', env, null);
  return [
    ...judging.findings,
    ...asChecked(assertionFindings(result.output.assertion, judging), judging),
    ...samlProfileFindings(result.output, judging),
  ];
}

function openIdFindings(event: unknown, env: NodeJS.ProcessEnv): Finding[] {
  const result = v.safeParse(OpenIdUserLoggedInEvent, event);
  if (!result.success) return [invalid(result.issues)];
  const judging = judgingOf('OpenID', env, null);
  const decoded = decodedToken(result.output.id_token_jwt);
  const ofToken = decoded
    ? tokenFindings({ ...decoded, event: result.output, hasAccessToken: true }, judging)
    : [problem('token_malformed', 'idTokenJwt is not a token of three parts.', null)];
  return [
    ...judging.findings,
    ...asChecked(ofToken, judging),
    ...openIdProfileFindings(result.output, judging),
  ];
}

/** The service took this login: where the function does not check it, no check refuses it. */
function asChecked(findings: readonly Finding[], { isChecked }: Judging): Finding[] {
  return findings.map((one) => (one.level === 'problem' && !isChecked ? { ...one, level: 'warning' } : one));
}

function invalid(issues: readonly v.BaseIssue<unknown>[]): Finding {
  const message = `The function refuses this event: ${problemsOf(issues).join('; ')}.`;
  return problem('event_invalid', message, 'Copy the whole event, as the service sent it.');
}
