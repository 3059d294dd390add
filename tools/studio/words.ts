/** The words of the page for what the code names by codes. */
import type { ExplainedRule } from '../explain/explanation.ts';
import type { Verdict } from '../explain/judgedSamples.ts';
import type { Outcome } from '../local/invocation.ts';
import type { Finding } from '../shared/finding.ts';

/** How something is coloured and shaped; there is always a word beside it. */
export type Tone = 'good' | 'stopped' | 'bad' | 'none';

export interface Word {
  word: string;
  tone: Tone;
}

export const OUTCOMES = {
  authorized: { word: 'Authorized', tone: 'good' },
  forbidden: { word: 'Forbidden', tone: 'stopped' },
  error: { word: 'Error', tone: 'stopped' },
  failed: { word: 'Failed', tone: 'bad' },
} as const satisfies Readonly<Record<Outcome, Word>>;

export const VERDICTS: Readonly<Record<Verdict['kind'], Word>> = {
  expected: { word: 'as expected', tone: 'good' },
  differs: { word: 'not as expected', tone: 'stopped' },
  failed: { word: 'failed', tone: 'bad' },
  other: { word: 'expects another handler', tone: 'none' },
  unknown: { word: 'no expected response', tone: 'none' },
};

export const RULE_VERDICTS: Readonly<Record<ExplainedRule['verdict'], Word>> = {
  allows: { word: 'allows', tone: 'good' },
  refuses: { word: 'refuses', tone: 'stopped' },
  unknown: { word: 'cannot judge: the provider does not say', tone: 'bad' },
  unclear: { word: 'cannot judge: a text may hide a group', tone: 'bad' },
};

export const LEVELS: Readonly<Record<Finding['level'], Word>> = {
  error: { word: 'Problem', tone: 'bad' },
  warning: { word: 'Warning', tone: 'stopped' },
  note: { word: 'Note', tone: 'none' },
};

export const PROTOCOLS = { openid: 'OpenID Connect', saml: 'SAML' } as const;
export type Protocol = keyof typeof PROTOCOLS;
export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as Protocol[];

/** A value of a response in a cell of a table: texts as they are, everything else as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === '') return 'empty text';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** By the clock of this machine, in 24 hours; the day where it is not today. */
export function clockText(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = OF_DAY.format(at);
  return isToday ? time : `${OF_YEAR.format(at)} ${time.slice(0, 5)}`;
}
