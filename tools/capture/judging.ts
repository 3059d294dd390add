/** By what a login is judged: the settings that list issuers, the handler in force, and the time. */
import type { Check, ReasonCode } from '../../lib/errors.ts';
import { type LoginKind, readConfiguration, type Settings } from '../../lib/settings.ts';
import { handlerIn } from '../shared/environment.ts';
import type { Finding } from './findings.ts';
import { note, warning } from './findings.ts';

export interface Judging {
  settings: Settings;
  /** Whether the setting lists issuers. Where it does not, nothing is judged that needs them. */
  hasIssuers: boolean;
  /** Whether the function itself checks tokens or assertions. */
  isChecked: boolean;
  /** Whether the default handler is in force. */
  isDefaultHandler: boolean;
  /** When the login was sent; now, where that is not known. In milliseconds since 1970. */
  atMs: number;
  /** Whether `atMs` is when the login was sent. */
  isSentAt: boolean;
  findings: Finding[];
}

/** The kind of login of each function, and the setting that lists its issuers. */
export const KINDS = {
  openidLoggedIn: { kind: 'OpenID', issuers: 'OPENID_ISSUERS' },
  samlLoggedIn: { kind: 'SAML', issuers: 'SAML_ISSUERS' },
} as const satisfies Record<string, { kind: LoginKind; issuers: string }>;

export type FunctionName = keyof typeof KINDS;

/** @param sentAt in milliseconds since 1970; null where it is not known */
export function judgingOf(
  functionName: FunctionName,
  env: NodeJS.ProcessEnv,
  sentAt: number | null,
): Judging {
  const { kind, issuers } = KINDS[functionName];
  const { settings, problems } = readConfiguration(kind, env);
  const { samlIssuers, openidIssuers, samlAssertionCheck, openidTokenCheck } = settings;
  const hasIssuers = (kind === 'SAML' ? samlIssuers : openidIssuers).size > 0;
  const isUnusable = problems.length > 0;
  return {
    settings,
    hasIssuers,
    isChecked: (kind === 'SAML' ? samlAssertionCheck : openidTokenCheck) === 'on',
    isDefaultHandler: handlerIn(env, functionName) === undefined,
    atMs: sentAt ?? Date.now(),
    isSentAt: sentAt !== null,
    findings: [
      ...(isUnusable ? [warning('configuration_unusable', problems.join('; '), 'Correct the setting.')] : []),
      ...(hasIssuers || isUnusable ? [] : [notConfigured(issuers)]),
    ],
  };
}

function notConfigured(setting: string): Finding {
  return note(
    'issuers_not_configured',
    `Issuer and audience are not checked, because ${setting} is not set.`,
    `Set ${setting}: docs/settings.md.`,
  );
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

/** How long ago, or in how long, for people. */
export function span(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  const [value, unit] = (
    [
      [86_400, 'days'],
      [3_600, 'hours'],
      [60, 'minutes'],
    ] as const
  )
    .map(([size, name]) => [Math.floor(seconds / size), name] as const)
    .find(([count]) => count >= 2) ?? [Math.floor(seconds), 'seconds'];
  return `${value} ${unit}`;
}
