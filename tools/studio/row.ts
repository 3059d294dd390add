/** A login as the list has it. */
import { sentenceOf } from '../explain/card.ts';
import { type Explanation, explanationOf } from '../explain/explanation.ts';
import { wronglyIn } from '../explain/judgedSamples.ts';
import { issuerOf } from '../keep/plan.ts';
import { isOwnSample } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { isSample, type Login } from './login.ts';
import { personIn } from './person.ts';
import { cut } from './texts.ts';
import { OUTCOMES, type Outcome, type Tone } from './words.ts';

export interface Row {
  login: Login;
  id: string;
  /** Of a sample its name, of another login the person. */
  title: string;
  explanation: Explanation;
  /** Who got in or not, and the fact that decided. */
  fact: string;
  /** The same without what stands below it: what the person reads, and each mistake of an event. */
  heading: string;
  outcome: Outcome;
  tone: Tone;
  /** Whether it gets in, and its sample expects that it does not. */
  isUnexpectedlyIn: boolean;
  /** Whether it is a sample of login-hooks, and not one of the operator's own. */
  isShipped: boolean;
  /** Whether the function failed, and not for a reason that is to be expected. */
  isFailing: boolean;
  /** What the filter looks in. */
  searched: string;
}

/** In characters: a heading is read at a glance, and what it leaves out stands below it. */
const MAX_FACT = 90;
/** In characters: an event may have any issuer. */
const MAX_ISSUER = 300;

/** Of each login once: all are listed after each change. */
const rows = new WeakMap<Login, Row>();

export function rowOf(login: Login): Row {
  const row = rows.get(login) ?? newRow(login);
  rows.set(login, row);
  return row;
}

function newRow(login: Login): Row {
  const { id, sample, answered, verdict, origin } = login;
  const { functionName, event, name } = sample;
  const { reason, handler } = answered;
  const explanation = explanationOf({ answered, ...sample });
  const person = personIn(sample, answered, explanation);
  const outcome = outcomeOf(answered);
  const isUnexpectedlyIn = wronglyIn(verdict) !== null;
  const isShipped = isSample(login) && !isOwnSample(sample);
  const sentence = sentenceOf({ answered, ...sample });
  const fact = isUnexpectedlyIn ? sentence.replace(/^Authorized/, 'Should not get in: authorized') : sentence;
  const isByCode = reason === 'forbidden' || reason === 'error';
  const searched = [
    ...[name, person, issuerOf(eventInside(event))?.slice(0, MAX_ISSUER), sentence],
    ...[reason, handler, functionName, kindOf(functionName), origin],
  ];
  return {
    ...{ login, id, explanation, outcome, isUnexpectedlyIn, isShipped },
    title: isSample(login) ? name : (person ?? 'Unknown person'),
    fact: cut(fact, MAX_FACT - 1),
    heading: isByCode
      ? `${OUTCOMES[outcome].word} by ${handler}`
      : cut(fact.replace(/(the event is not valid): .*/s, '$1'), MAX_FACT - 1),
    tone: isUnexpectedlyIn ? 'bad' : OUTCOMES[outcome].tone,
    // A shipped sample of which one's own handler asks other systems has no recorded responses, and nothing is wrong with it.
    isFailing: verdict.kind === 'failed' && !(isShipped && reason === 'not_recorded'),
    searched: searched.join('\n').toLowerCase(),
  };
}

const BY_TYPE: Readonly<Record<string, Outcome>> = {
  AuthorizedUserResponse: 'authorized',
  ForbiddenResponse: 'forbidden',
  ErrorResponse: 'error',
};

export function outcomeOf({ failed, response }: InvocationResult): Outcome {
  return (failed === null ? BY_TYPE[String(response?.type)] : null) ?? 'failed';
}

/** Whether a login waits for its operator: what is wrong, and what a file changed. */
function rankOf({ isUnexpectedlyIn, isFailing, isShipped, login: { changes, verdict } }: Row): number {
  if (isUnexpectedlyIn) return 0;
  if (isFailing) return 1;
  if (changes.length > 0 && !isShipped) return 2;
  return verdict.kind === 'differs' ? 3 : CALM;
}

const CALM = 4;

export function needsAttention(row: Row): boolean {
  return rankOf(row) < CALM;
}

/** Those that came in this session, the newest first; and the samples, what needs attention first. */
export function listed(logins: readonly Login[]): { session: Row[]; own: Row[]; shipped: Row[] } {
  const { samples = [], session = [] } = Object.groupBy(logins.map(rowOf), ({ login }) =>
    isSample(login) ? 'samples' : 'session',
  );
  const sorted = samples.toSorted(byAttention);
  return {
    session: session.reverse(),
    own: sorted.filter((row) => !row.isShipped || needsAttention(row)),
    shipped: sorted.filter((row) => row.isShipped && !needsAttention(row)),
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
export function openedFirst(logins: readonly Login[]): Row | undefined {
  const { session, own, shipped } = listed(logins);
  const all = [...session.slice(0, 1), ...own.filter(needsAttention), ...own, ...shipped];
  const isFirst = (row: Row) => !isSample(row.login) || needsAttention(row) || row.outcome === 'authorized';
  return all.find(isFirst) ?? all[0];
}

/** Rows that have every word, in any case. */
export function matching(rows: readonly Row[], words: string, outcome: string | null): Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (outcome === null || outcome === row.outcome) && wanted.every((word) => row.searched.includes(word)),
  );
}
