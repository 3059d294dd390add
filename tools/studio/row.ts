/** A login as the list has it: whose it is, and the fact that decided. Identifiers are no names: neither `sub` nor a NameID is shown. */
import { getFirstName, getLastName } from '../../lib/sdk.ts';
import { type ExplainedLogin, explanationOf } from '../explain/explanation.ts';
import { wronglyIn } from '../explain/judgedSamples.ts';
import { validEvent } from '../explain/places.ts';
import { sentenceOf } from '../explain/sentence.ts';
import { isOwnSample, type SampleEvent } from '../local/events.ts';
import { isByCode, outcomeOf } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { beginning } from '../shared/readable.ts';
import { isSample, type Login } from './logins.ts';
import { OUTCOMES } from './words.ts';

/** In characters: a heading is read at a glance, and what it leaves out stands below it. */
const MAX_FACT = 90;
export type Row = ReturnType<typeof newRow>;

/** Of each login once: all are listed after each change. */
const rows = new WeakMap<Login, Row>();

export function rowOf(login: Login): Row {
  const row = rows.get(login) ?? newRow(login);
  rows.set(login, row);
  return row;
}

function newRow(login: Login) {
  const { id, sample, answered, verdict, live } = login;
  const { reason, handler } = answered;
  const explanation = explanationOf({ answered, ...sample });
  const outcome = outcomeOf(answered);
  const isUnexpectedlyIn = wronglyIn(verdict) !== null;
  /** Of login-hooks, and not one of the operator's own. */
  const isShipped = isSample(login) && !isOwnSample(sample);
  const said = sentenceOf(explanation);
  const sentence = isUnexpectedlyIn ? said.replace(/^Authorized/, 'Should not get in: authorized') : said;
  const fact = beginning(sentence, MAX_FACT - 1);
  return {
    login,
    id,
    explanation,
    outcome,
    isUnexpectedlyIn,
    fact,
    title: isSample(login) ? sample.name : (personIn(login, explanation) ?? 'Unknown person'),
    /** The fact without what the card says: what the person reads, each mistake of an event, and groups. */
    heading: isByCode(answered)
      ? `${OUTCOMES[outcome].word} by ${handler}`
      : beginning(sentence.replace(SAID_BY_CARD, ''), MAX_FACT - 1),
    /** Whether it was answered as it came, with the checks on and in real time. */
    isLive: answered === live,
    /** Where the answer was another one then; null where it was not. */
    whenItCame: live !== null && live.reason !== reason ? `${live.reason} when it came` : null,
    tone: isUnexpectedlyIn ? 'bad' : OUTCOMES[outcome].tone,
    // A shipped sample of which one's own handler asks other systems has no recorded responses, and nothing is wrong with it.
    isFailing: verdict.kind === 'failed' && !(isShipped && reason === 'not_recorded'),
  };
}

const SAID_BY_CARD = /(?<=the event is not valid): .*|(?<=, \d+ groups?) \(.*/s;

/** As the response has it; of a login that is refused as its handler read it, or as the default handler reads the event. */
function personIn({ sample, answered: { response } }: Login, { fields }: ExplainedLogin): string | null {
  const given = response?.type === 'AuthorizedUserResponse' ? response : {};
  const read = fields.filter(({ field }) => field === 'first_name' || field === 'last_name');
  return (
    named([given.first_name ?? given.firstName, given.last_name ?? given.lastName]) ??
    named([given.email]) ??
    named(read.map(({ value }) => value)) ??
    named(namesIn(sample))
  );
}

function named(parts: readonly unknown[]): string | null {
  const name = parts.filter((part) => typeof part === 'string').join(' ');
  return beginning(name.trim(), MAX_FACT) || null;
}

function namesIn({ functionName, event }: SampleEvent): unknown[] {
  const valid = validEvent(event, kindOf(functionName));
  return valid ? [getFirstName(valid), getLastName(valid)] : [];
}

/** Whether a login waits for its operator: what is wrong, and what a file changed. */
function rankOf({ isUnexpectedlyIn, isFailing, login: { changes, verdict } }: Row): number {
  if (isUnexpectedlyIn) return 0;
  if (isFailing) return 1;
  if (changes.length > 0) return 2;
  return verdict.kind === 'differs' ? 3 : CALM;
}

const CALM = 4;

export function needsAttention(row: Row): boolean {
  return rankOf(row) < CALM;
}

/** Those that came in this session, the newest first; and the samples, what needs attention first. @param outcome null for all */
export function listed(logins: readonly Login[], outcome: string | null): { session: Row[]; samples: Row[] } {
  const rows = logins.map(rowOf).filter((row) => outcome === null || row.outcome === outcome);
  const session = rows.filter(({ login }) => !isSample(login));
  const samples = rows.filter(({ login }) => isSample(login));
  return { session: session.reverse(), samples: samples.toSorted(byAttention) };
}

const collator = new Intl.Collator('en', { numeric: true });

function byAttention(one: Row, other: Row): number {
  return (
    rankOf(one) - rankOf(other) ||
    collator.compare(one.title, other.title) ||
    collator.compare(one.login.sample.functionName, other.login.sample.functionName)
  );
}

/** The login that is open where the address names none: the newest of the session, else what needs attention, else somebody who gets in. */
export function openedFirst(logins: readonly Login[], outcome: string | null): Row | undefined {
  const { session, samples } = listed(logins, outcome);
  const isFirst = (row: Row) => needsAttention(row) || row.outcome === 'authorized';
  return session[0] ?? samples.find(isFirst) ?? samples[0];
}
