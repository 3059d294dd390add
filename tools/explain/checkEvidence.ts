/** What a check of the event, its token or its assertion expected, and what it found. */

import { decodeJwt } from 'jose';
import { isJsonObject } from '../../lib/schema.ts';
import type { Settings } from '../../lib/settings.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { timeText } from '../shared/readable.ts';
import type { Evidence } from './account.ts';
import { type EventKey, type PlacedText, textsAt } from './eventNodes.ts';

export interface FailedCheck {
  reason: string;
  /** Of the login. */
  record: LogRecord;
  /** Out of its HTTP envelope. */
  event: unknown;
  settings: Settings;
  /** When it was answered, by the function's clock, in milliseconds since 1970. */
  atMs: number;
}

interface Requirement {
  at: readonly EventKey[];
  expected: (check: FailedCheck) => readonly string[];
}

const CLAIMS = ['idToken', 'otherClaims'] as const;
const CONDITIONS = ['assertion', 'assertionConditions'] as const;
/** Where the issuer stands, in either kind of event. */
export const ISSUERS_AT = { OpenID: ['idToken', 'iss'], SAML: ['assertion', 'assertionIssuer'] } as const;

/** By the reason: what is looked at, and what the settings or the clock demand. */
const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  token_issuer_refused: {
    at: ISSUERS_AT.OpenID,
    expected: ({ settings }) => [...settings.openidIssuers.keys()],
  },
  token_audience_refused: { at: ['idToken', 'aud'], expected: clients },
  token_azp_refused: { at: [...CLAIMS, 'azp'], expected: clients },
  token_expired: { at: ['idToken', 'exp'], expected: after },
  token_not_yet_valid: { at: ['idToken', 'iat'], expected: before },
  assertion_issuer_refused: {
    at: ISSUERS_AT.SAML,
    expected: ({ settings }) => [...settings.samlIssuers.keys()],
  },
  assertion_not_yet_valid: { at: [...CONDITIONS, 'conditionsNotBefore'], expected: before },
  assertion_expired: { at: [...CONDITIONS, 'conditionsNotOnOrAfter'], expected: after },
  assertion_audience_refused: {
    at: [...CONDITIONS, 'conditionsAudienceRestrictions'],
    expected: (check) => service(check)?.audiences ?? [],
  },
  assertion_confirmation_refused: {
    at: ['assertion', 'assertionSubject', 'subjectConfirmations'],
    expected: (check) => [...(service(check)?.recipients ?? []), ...after(check)],
  },
};

/** Of more, the first are shown. */
export const MAX_ROWS = 5;

export function row(title: string, text: string, at: Evidence['at'] = null): Evidence {
  return { title, text, at };
}

/** @returns none for a reason that says all there is to say */
export function checkEvidence(check: FailedCheck): Evidence[] {
  const { reason, record, event } = check;
  const requirement = new Map(Object.entries(REQUIREMENTS)).get(reason);
  const { problems, claims, source } = record as {
    problems?: unknown[];
    claims?: { names: string[] };
    source?: string;
  };
  if (reason === 'token_claims_differ') return (claims?.names ?? []).map((name) => row('Differs', name));
  if (reason === 'external_id_missing') return [row('Missing', String(source))];
  const told = (problems ?? []).filter((problem) => typeof problem === 'string');
  if (!requirement) return told.slice(0, MAX_ROWS).map((problem) => row('Problem', problem));
  return [
    ...requirement.expected(check).map((text) => row('Expected', text)),
    ...foundAt(tokenInside(event, reason), requirement.at),
  ];
}

/** The texts at a place of the event, or below it. */
export function foundAt(event: unknown, at: readonly EventKey[]): Evidence[] {
  const texts = textsAt(event, at).slice(0, MAX_ROWS);
  return texts.length > 0 ? texts.map(found) : [row('Found', 'nothing')];
}

function found({ text, at }: PlacedText): Evidence {
  const isTime = typeof at.at(-1) === 'string' && ['exp', 'iat'].includes(String(at.at(-1)));
  return row('Found', isTime ? timeText(Number(text) * 1_000) : text, at);
}

/** The event as its token says: a check looks at the token, before the event is compared with it. */
function tokenInside(event: unknown, reason: string): unknown {
  if (!reason.startsWith('token_') || !isJsonObject(event) || !isJsonObject(event.idToken)) return event;
  try {
    const { iss, aud, exp, iat, ...otherClaims } = decodeJwt(String(event.idTokenJwt));
    return { idToken: { iss, aud, exp, iat, otherClaims } };
  } catch {
    return event;
  }
}

function clients({ settings, record }: FailedCheck): readonly string[] {
  return settings.openidIssuers.get(String(record.issuer))?.audiences ?? [];
}

function service({ settings, record }: FailedCheck) {
  return settings.samlIssuers.get(String(record.issuer));
}

function after({ atMs, settings }: FailedCheck): string[] {
  return [`after ${timeText(atMs)}, with ${settings.clockSkewSeconds} seconds of tolerance`];
}

function before({ atMs, settings }: FailedCheck): string[] {
  return [`before ${timeText(atMs)}, with ${settings.clockSkewSeconds} seconds of tolerance`];
}
