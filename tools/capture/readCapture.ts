/**
 * Reads what somebody caught of a login, in a browser's developer tools or in the service: which logins are in it, the events that
 * the service would send of them, and all that is wrong with each. It asks no other system, and writes nothing.
 */
import * as v from 'valibot';
import { KINDS } from '../../lib/kinds.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import type { Kind } from '../../lib/profile/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { problemsOf } from '../../lib/schema.ts';
import { functionIn } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import { requireFunction } from '../shared/projectFunctions.ts';
import type { Captured, Found } from './captured.ts';
import { error, findingsFor, note } from './findings.ts';
import { decodedToken, readToken, tokenFindings } from './idToken.ts';
import { type Judging, judgingOf } from './judging.ts';
import { entitiesIn, type Provider } from './metadata.ts';
import { groupFindings } from './profileFindings.ts';
import { recognise } from './recognise.ts';
import { readRefusal } from './refusals.ts';
import { assertionFindings } from './samlFindings.ts';
import { readSaml } from './samlMessage.ts';

export interface CaptureOptions {
  /** The SAML metadata of the provider, as XML: then signatures are checked. */
  metadata?: string | undefined;
  /** Where the metadata is from, for an error. */
  metadataFile?: string | undefined;
  environment: (functionName: string) => NodeJS.ProcessEnv;
}

/** To check the signatures of one takes up to a second, and mostly 20 ms. */
const MAX_LOGINS = 20;

/**
 * @param text in one of the formats that `recognise` knows
 * @returns at least one login
 * @throws {UnusableInput} that says what the text looks like, and what is expected; for unusable metadata, and where all
 *   logins are of another kind than the project's
 */
export async function readCapture(
  text: string,
  { metadata, metadataFile, environment }: CaptureOptions,
): Promise<Captured[]> {
  const providers = metadata === undefined ? null : entitiesIn(metadata, metadataFile);
  const found = distinct(recognise(text));
  const captures: Captured[] = [];
  let refusal: UnusableInput | null = null;
  for (const one of found.slice(0, MAX_LOGINS)) {
    try {
      const { findings, ...read } = readFound(one, providers, environment);
      requireFunction(read.functionName);
      captures.push({ ...read, where: one.where ?? '', findings: inOrder(findings) });
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      refusal ??= error;
    }
  }
  // A logout among logins is no mistake.
  if (captures.length === 0 && refusal) throw refusal;
  const others = found.length - MAX_LOGINS;
  if (others > 0) {
    const leftOut = note('logins_left_out', `${others} more logins are not read.`, 'Give only a part of it.');
    captures.at(-1)?.findings.push(leftOut);
  }
  return captures;
}

function readFound(
  found: Found,
  providers: readonly Provider[] | null,
  environment: CaptureOptions['environment'],
): Omit<Captured, 'where'> {
  switch (found.kind) {
    case 'SAMLResponse':
      return readSaml(found, providers, environment(KINDS.SAML.functionName));
    case 'event':
      return readEvent(found.event, environment);
    case 'refused login':
      return readRefusal(found);
    default:
      return readToken(found, environment(KINDS.OpenID.functionName));
  }
}

/** An event of the service, in an HTTP envelope or not. */
function readEvent(
  event: Record<string, unknown>,
  environment: CaptureOptions['environment'],
): Omit<Captured, 'where'> {
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

/** Each login once. A token response says more than its token. */
function distinct(found: readonly Found[]): Found[] {
  const byContent = new Map<string | undefined, Found>();
  for (const one of found) {
    const content = contentOf(one);
    const before = byContent.get(content);
    if (before === undefined || before.kind === 'ID token') byContent.set(content, one);
  }
  return [...byContent.values()];
}

function contentOf({ where: _, sentAt: __, ...content }: Found): string | undefined {
  return 'tokens' in content ? content.tokens.id_token : JSON.stringify(content);
}
