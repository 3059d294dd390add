/** A login as the list has it. */

import { type Explanation, explanationOf } from '../explain/explanation.ts';
import { wronglyIn } from '../explain/judgedSamples.ts';
import { issuerOf } from '../keep/plan.ts';
import { isOwnSample } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { isSample, type Login } from './login.ts';
import { personIn } from './person.ts';

/** How something is coloured and shaped; there is always a word beside it. */
export type Tone = 'good' | 'stopped' | 'bad' | 'none';

export interface Row {
  login: Login;
  id: string;
  /** Of a sample its name, of another login the person, as the response or else the event has it. */
  title: string;
  /** Of a sample; null where neither response nor event says it. */
  person: string | null;
  issuer: string | null;
  explanation: Explanation;
  /** Who got in or not, and the fact that decided. */
  fact: string;
  /** The same without what the person reads, which stands below it. */
  heading: string;
  outcome: Outcome;
  tone: Tone;
  /** Whether it gets in, and its sample expects that it does not. */
  isUnexpectedlyIn: boolean;
  /** Whether it is a sample of login-hooks, and not one of the operator's own. */
  isShipped: boolean;
  /** Whether the function failed, and not for a reason that is to be expected. */
  isFailing: boolean;
}

export const OUTCOMES = ['authorized', 'forbidden', 'error', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const TONES: Readonly<Record<Outcome, Tone>> = {
  authorized: 'good',
  forbidden: 'stopped',
  error: 'stopped',
  failed: 'bad',
};

/** Reasons of code that decides by itself. */
const SAYS = new Set(['forbidden', 'error']);
/** In characters: a heading is read at a glance, and what it leaves out stands below it. */
const MAX_FACT = 90;
/** In characters. */
const MAX_ISSUER = 300;

/** Of each login once: all are listed after each change. */
const rows = new WeakMap<Login, Row>();

export function rowOf(login: Login): Row {
  const row = rows.get(login) ?? newRow(login);
  rows.set(login, row);
  return row;
}

function newRow(login: Login): Row {
  const { id, sample, answered, verdict } = login;
  const explanation = explanationOf({ answered, ...sample });
  const person = personIn(sample, answered, explanation);
  const outcome = outcomeOf(answered);
  const isUnexpectedlyIn = wronglyIn(verdict) !== null;
  const isShipped = isSample(login) && !isOwnSample(sample);
  const [fact = ''] = explanation.sentence.split(/(?<=\.) /);
  const told = isUnexpectedlyIn ? fact.replace(/^Authorized/, 'Should not get in: authorized') : fact;
  return {
    ...{ login, id, explanation, outcome, isUnexpectedlyIn, isShipped },
    title: isSample(login) ? sample.name : (person ?? 'Unknown person'),
    person: isSample(login) ? person : null,
    issuer: issuerOf(eventInside(sample.event))?.slice(0, MAX_ISSUER) ?? null,
    fact: shortened(told),
    heading: shortened(headingOf(told, answered)),
    tone: isUnexpectedlyIn ? 'bad' : TONES[outcome],
    // A shipped sample of which one's own handler asks other systems has no recorded responses, and nothing is wrong with it.
    isFailing: verdict.kind === 'failed' && !(isShipped && answered.reason === 'not_recorded'),
  };
}

/** Without what stands below it: what the person reads, and each mistake of an event. */
function headingOf(fact: string, { reason, records }: InvocationResult): string {
  const { problems } = records.findLast(({ event }) => event === 'login') ?? {};
  if (SAYS.has(reason)) return fact.replace(/: (\S+) says: .*/s, ' by $1');
  return Array.isArray(problems) ? fact.split(': ', 2).join(': ') : fact;
}

function typeOf({ response }: InvocationResult): string | null {
  return response === null ? null : String(response.type);
}

export function outcomeOf(answered: InvocationResult): Outcome {
  if (answered.failed !== null) return 'failed';
  const outcomes: Readonly<Record<string, Outcome>> = {
    AuthorizedUserResponse: 'authorized',
    ForbiddenResponse: 'forbidden',
    ErrorResponse: 'error',
  };
  return outcomes[typeOf(answered) ?? ''] ?? 'failed';
}

/** At the end of a word. */
function shortened(text: string): string {
  if (text.length <= MAX_FACT) return text;
  const start = text.slice(0, MAX_FACT - 1);
  const end = start.lastIndexOf(' ');
  return `${(end > MAX_FACT / 2 ? start.slice(0, end) : start).toWellFormed()}…`;
}

/** Whether a login waits for its operator: what is wrong, and what a file changed. */
function rankOf({ isUnexpectedlyIn, isFailing, isShipped, login: { changes, verdict } }: Row): number {
  if (isUnexpectedlyIn) return 0;
  if (isFailing) return 1;
  if (changes.length > 0 && !isShipped) return 2;
  return verdict.kind === 'differs' ? 3 : 4;
}

const CALM = 4;

export function needsAttention(row: Row): boolean {
  return rankOf(row) < CALM;
}

/** Those that came in this session, the newest first; and the samples, what needs attention first. */
export function listed(logins: readonly Login[]): { session: Row[]; own: Row[]; shipped: Row[] } {
  const all = logins.map(rowOf);
  const samples = all.filter(({ login }) => isSample(login)).toSorted(byAttention);
  return {
    session: all
      .filter(({ login }) => !isSample(login))
      .toSorted((a, b) => (b.login.at ?? 0) - (a.login.at ?? 0)),
    own: samples.filter((row) => !row.isShipped || needsAttention(row)),
    shipped: samples.filter((row) => row.isShipped && !needsAttention(row)),
  };
}

const collator = new Intl.Collator('en', { numeric: true });

function byAttention(one: Row, other: Row): number {
  return (
    rankOf(one) - rankOf(other) ||
    Number(one.isShipped) - Number(other.isShipped) ||
    collator.compare(one.title, other.title) ||
    collator.compare(one.login.sample.functionName, other.login.sample.functionName)
  );
}

/** The login that is open where the address names none: the newest of the session, else what needs attention, else somebody who gets in. */
export function openedFirst(logins: readonly Login[]): Row | null {
  const { session, own, shipped } = listed(logins);
  const [newest] = session;
  const [first] = own;
  if (newest) return newest;
  if (first && needsAttention(first)) return first;
  const calm = [...own, ...shipped];
  return calm.find(({ outcome }) => outcome === 'authorized') ?? calm[0] ?? null;
}

/** Rows whose texts have every word, in any case. */
export function matching(rows: readonly Row[], words: string, outcome: string | null): Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (outcome !== null && outcome !== row.outcome) return false;
    const { title, person, issuer, explanation, login } = row;
    const { functionName } = login.sample;
    const texts = [
      title,
      person,
      issuer,
      explanation.sentence,
      login.answered.reason,
      login.answered.handler,
    ];
    const text = [...texts, functionName, kindOf(functionName), login.origin].join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
