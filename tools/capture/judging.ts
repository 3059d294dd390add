/** By what a login is judged: the settings that list issuers, the handler in force, and the time. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import type { Check, ReasonCode } from '../../lib/reasons.ts';
import { type Settings, variableOf } from '../../lib/settings.ts';
import type { Finding } from '../shared/finding.ts';
import { found, note, warning } from './findings.ts';

export interface Judging {
  settings: Settings;
  /** Whether the setting lists issuers. Where it does not, nothing is judged that needs them. */
  hasIssuers: boolean;
  /** Whether the function itself checks tokens or assertions. */
  isChecked: boolean;
  /** When the login was sent; now, where that is not known. In milliseconds since 1970. */
  atMs: number;
  /** Whether `atMs` is when the login was sent. */
  isSentAt: boolean;
  findings: Finding[];
}

/** @param sentAt in milliseconds since 1970; null where it is not known */
export function judgingOf(kind: LoginKind, env: NodeJS.ProcessEnv, sentAt: number | null): Judging {
  const { issuers, check } = KINDS[kind];
  const { settings, problems } = readConfiguration(kind, env);
  const hasIssuers = settings[issuers].size > 0;
  const isUnusable = problems.length > 0;
  const setting = variableOf(issuers);
  return {
    settings,
    hasIssuers,
    isChecked: settings[check] === 'on',
    atMs: sentAt ?? Date.now(),
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

/** What the checks say that do not hold, all of them. */
export function failedChecks<TSubject, TCode extends ReasonCode>(
  checks: readonly Check<TSubject, TCode>[],
  subject: TSubject,
): { code: TCode; details: Readonly<Record<string, unknown>> }[] {
  return checks
    .filter(({ holds }) => !holds(subject))
    .map(({ code, details }) => ({ code, details: details?.(subject) ?? {} }));
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
