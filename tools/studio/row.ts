/** A login as the list has it: whose it is, and the fact that decided. Identifiers are no names: neither `sub` nor a NameID is shown. */
import * as v from 'valibot';
import { OPENID } from '../../lib/openid/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { getFirstName, getLastName } from '../../lib/sdk.ts';
import { sentenceOf } from '../explain/card.ts';
import { type Explanation, explanationOf } from '../explain/explanation.ts';
import { wronglyIn } from '../explain/judgedSamples.ts';
import { isOwnSample, type SampleEvent } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { isSample, type Login } from './login.ts';
import { cut } from './texts.ts';
import { OUTCOMES, type Outcome } from './words.ts';

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
  const { id, sample, answered, verdict, origin } = login;
  const { functionName, name } = sample;
  const { reason, handler } = answered;
  const explanation = explanationOf({ answered, ...sample });
  const person = personIn(sample, answered, explanation);
  const outcome: Outcome = outcomeOf(answered);
  const isUnexpectedlyIn = wronglyIn(verdict) !== null;
  /** Of login-hooks, and not one of the operator's own. */
  const isShipped = isSample(login) && !isOwnSample(sample);
  const said = sentenceOf({ answered, ...sample });
  const sentence = isUnexpectedlyIn ? said.replace(/^Authorized/, 'Should not get in: authorized') : said;
  const fact = cut(sentence, MAX_FACT - 1);
  const isByCode = reason === 'forbidden' || reason === 'error';
  return {
    ...{ login, id, explanation, outcome, isUnexpectedlyIn, isShipped, fact },
    title: isSample(login) ? name : (person ?? 'Unknown person'),
    /** The fact without what the card says: what the person reads, each mistake of an event, and groups. */
    heading: isByCode
      ? `${OUTCOMES[outcome].word} by ${handler}`
      : cut(sentence.replace(SAID_BY_CARD, ''), MAX_FACT - 1),
    tone: isUnexpectedlyIn ? 'bad' : OUTCOMES[outcome].tone,
    // A shipped sample of which one's own handler asks other systems has no recorded responses, and nothing is wrong with it.
    isFailing: verdict.kind === 'failed' && !(isShipped && reason === 'not_recorded'),
    searched: [name, person, sentence, reason, handler, kindOf(functionName), origin].join(' ').toLowerCase(),
  };
}

/** What follows the fact in a sentence. */
const SAID_BY_CARD = /(?<=the event is not valid): .*|(?<=, \d+ groups?) \(.*/s;

/** In characters, of a name. */
const MAX_NAME = 200;
const MODELS = { OpenID: OPENID.model, SAML: SAML.model };

/** As the response has it; of a login that is refused as its handler read it, or as the default handler reads the event. */
function personIn(
  sample: SampleEvent,
  { response }: InvocationResult,
  { fields }: Explanation,
): string | null {
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
  return name.trim().slice(0, MAX_NAME) || null;
}

function namesIn({ functionName, event }: SampleEvent): unknown[] {
  const { success, output } = v.safeParse(MODELS[kindOf(functionName)], eventInside(event));
  return success ? [getFirstName(output), getLastName(output)] : [];
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
