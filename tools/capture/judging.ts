/** By what a login is judged: the settings that list issuers, the handler in force, and the time. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import type { Check, ReasonCode } from '../../lib/reasons.ts';
import { type Settings, variableOf } from '../../lib/settings.ts';
import { checkFacts } from '../explain/card.ts';
import { reasonRow } from '../explain/reasons.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import type { Finding } from '../shared/finding.ts';
import { capitalised } from '../shared/readable.ts';
import { error, found, listed, note, warning } from './findings.ts';

export type Judging = ReturnType<typeof judgingOf>;

/**
 * @param sentAt in milliseconds since 1970; null where it is not known
 * @param own settings in the place of those of the function
 */
export function judgingOf(
  kind: LoginKind,
  env: NodeJS.ProcessEnv,
  sentAt: number | null,
  own: Partial<Settings> = {},
) {
  const { issuers, check } = KINDS[kind];
  const { settings: ofFunction, problems } = readConfiguration(kind, env);
  const settings = { ...ofFunction, ...own };
  const hasIssuers = settings[issuers].size > 0;
  const isUnusable = problems.length > 0;
  const setting = variableOf(issuers);
  return {
    settings,
    /** Whether the setting lists issuers. Where it does not, nothing is judged that needs them. */
    hasIssuers,
    isChecked: settings[check] === 'on',
    /** When the login was sent; now, where that is not known. In milliseconds since 1970. */
    atMs: sentAt ?? Date.now(),
    /** Whether `atMs` is when the login was sent. */
    isSentAt: sentAt !== null,
    findings: found([
      isUnusable && warning('configuration_unusable', problems.join('; '), 'Correct the setting.'),
      !hasIssuers &&
        !isUnusable &&
        note(
          'issuers_not_configured',
          `Issuer and audience are not checked, because ${setting} is not set.`,
          `Set ${setting}: docs/settings.md.`,
        ),
    ]),
  };
}

export function failedChecks<TSubject, TCode extends ReasonCode>(
  checks: readonly Check<TSubject, TCode>[],
  subject: TSubject,
): { code: TCode; details: LogRecord }[] {
  return checks
    .filter(({ holds }) => !holds(subject))
    .map(({ code, details }) => ({ code, details: details?.(subject) ?? {} }));
}

/**
 * What the table of reasons says of a check that does not hold. No value of the person is in it: a check looks at none.
 *
 * @param event as its handler gets it
 */
export function failedFinding(
  { code, details }: { code: ReasonCode; details: LogRecord },
  event: unknown,
  issuer: string,
  { settings, atMs }: Judging,
): Finding {
  const { found, expected = [] } = checkFacts(code, event, details, { settings, issuer, atMs });
  const [sentence, change] = reasonRow(code);
  // The hash of an access token tells a person nothing.
  const shown = code === 'token_access_token_differs' ? [] : found;
  const texts = shown.map((one) => (typeof one === 'string' ? one : one.text));
  const facts = [
    capitalised(sentence),
    ...(texts.length > 0 ? [`Found: ${listed(texts)}`] : []),
    ...(expected.length > 0 ? [`Expected: ${listed(expected)}`] : []),
  ];
  return error(code, `${facts.join('. ')}.`, change);
}

const UNITS = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
  [1, 'seconds'],
] as const;

/** How long ago, or in how long, for people. */
export function span(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1_000);
  const [size, unit] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 'seconds'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/**
 * Of a capture whose time is not known: it is mostly older than its login.
 *
 * @param ms ago
 */
export function expired(what: 'token' | 'assertion', ms: number): Finding {
  return warning(
    `${what}_expired`,
    `The ${what} expired ${span(ms)} ago.`,
    'Sign in again for a fresh one. For an older capture, this is normal.',
  );
}
