/** An event of the service, in an HTTP envelope or not. */
import * as v from 'valibot';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import type { Kind } from '../../lib/profile/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { problemsOf } from '../../lib/schema.ts';
import { functionIn } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { Finding } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import type { Captured } from './captured.ts';
import { error, findingsFor } from './findings.ts';
import { decodedToken, tokenFindings } from './idToken.ts';
import { type Judging, judgingOf } from './judging.ts';
import { groupFindings } from './profileFindings.ts';
import { assertionFindings } from './samlFindings.ts';

type Environment = (functionName: string) => NodeJS.ProcessEnv;

export function readEvent(event: Record<string, unknown>, environment: Environment): Omit<Captured, 'where'> {
  const functionName = functionIn(event) ?? 'openidLoggedIn';
  const inside = eventInside(event);
  const env = environment(functionName);
  const findings =
    kindOf(functionName) === 'SAML'
      ? findingsOf(SAML, inside, env, ({ assertion }, judging) => assertionFindings(assertion, judging))
      : findingsOf(OPENID, inside, env, ofToken);
  return { kind: 'event', functionName, events: { plain: event, known: event }, findings };
}

function findingsOf<TEvent>(
  kind: Kind<TEvent>,
  event: unknown,
  env: NodeJS.ProcessEnv,
  ofCheck: (event: TEvent, judging: Judging) => Finding[],
): Finding[] {
  const { success, output, issues } = v.safeParse(kind.model, event);
  if (!success) {
    const message = `The function refuses this event: ${problemsOf(issues).join('; ')}.`;
    return [error('event_invalid', message, 'Copy the whole event, as the service sent it.')];
  }
  const judging = judgingOf(kind.names.kind, env, null);
  return findingsFor(kind.issuerOf(output), [
    ...judging.findings,
    ...asChecked(ofCheck(output, judging), judging),
    ...groupFindings(kind, output),
  ]);
}

function ofToken(event: OpenIdUserLoggedInEvent, judging: Judging): Finding[] {
  const decoded = decodedToken(event.id_token_jwt);
  if (decoded) return tokenFindings({ ...decoded, event }, judging);
  return [error('token_malformed', 'idTokenJwt is not a token of three parts.', null)];
}

/** The service took this login: where the function does not check it, no check refuses it. */
function asChecked(findings: readonly Finding[], { isChecked }: Judging): Finding[] {
  return findings.map((one) => (one.level === 'error' && !isChecked ? { ...one, level: 'warning' } : one));
}
