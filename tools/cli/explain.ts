/** How a response came about, for people: what decided, then each part of the decision as a short table. */
import { showable } from '../../lib/text.ts';
import { type CardOptions, type CardRow, cardOf } from '../explain/card.ts';
import {
  type AnsweredLogin,
  type ExplainedGroups,
  type ExplainedLogin,
  explanationOf,
  gaveText,
  shortName,
  shortPath,
} from '../explain/explanation.ts';
import { type Place, placeText } from '../explain/places.ts';
import type { HandlerRead, HandlerReads } from '../explain/reads.ts';
import { plainSentenceOf, sentenceOf } from '../explain/sentence.ts';
import type { Engine } from '../local/engine.ts';
import { beginning, table } from '../shared/readable.ts';

interface ExplainOptions extends Pick<CardOptions, 'reads'> {
  /** Whether the texts of the event are shown. They are read from the event: the function logs none. */
  showsValues: boolean;
}

/** In characters. */
const MAX_VALUE = 60;

/** Fields of the record, by what they are called here. */
const HEAD = { response: 'answer', reason: 'reason', handler: 'handler', issuer: 'issuer' };

export function explain(
  login: AnsweredLogin,
  engine: Pick<Engine, 'stage'>,
  { showsValues, ...options }: ExplainOptions,
): string {
  const explained = explanationOf(login);
  const { record } = explained;
  if (record.event === undefined) return 'The login has no log record.';
  const card = cardOf(explained, { ...options, env: engine.stage.env });
  const head = Object.entries(HEAD).filter(([, field]) => record[field] !== undefined);
  return [
    showsValues ? sentenceOf(explained) : plainSentenceOf(login.answered),
    cardText(card, showsValues),
    head.map(([title, field]) => `${title.padEnd('response'.length)} ${record[field]}`).join('\n'),
    ...decisionParts(explained, showsValues),
    ...readParts(options.reads ?? null, showsValues),
  ].join('\n\n');
}

const TITLE_WIDTH = 'The person reads'.length + 2;

/** @param showsValues whether what stands in the event is shown, and not only where */
export function cardText(card: readonly CardRow[], showsValues: boolean): string {
  const lines = card.map(({ title, text, at }) => {
    const shown = showable(text).replaceAll(/\s+/g, ' ');
    const value = showsValues ? `${shown} (${shownPlace(at)})` : `at ${shownPlace(at)}`;
    return title.padEnd(TITLE_WIDTH) + (at === null ? shown : value);
  });
  return lines.join('\n');
}

function shownPlace(at: Place | null): string {
  return at === null ? '' : showable(placeText(at));
}

/** Cells, of which the last is a value of the event, or null where it has none. */
type Row = readonly [...cells: string[], value: string | null];

/** @returns an empty list where there is no row */
function valueTable(header: readonly string[], rows: readonly Row[], showsValues: boolean): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => {
    const value = row.at(-1) ?? null;
    // It cannot move the cursor or hide what is beside it.
    const shown = value === null ? '-' : beginning(JSON.stringify(showable(value)), MAX_VALUE);
    return [...row.slice(0, -1).map(String), ...(showsValues ? [shown] : [])];
  });
  return [table([...header, ...(showsValues ? ['value'] : [])], cells)];
}

function decisionParts(explained: ExplainedLogin, showsValues: boolean): string[] {
  const { fields, groups, rules, decided, received } = explained;
  if (received === null) return [];
  const others = received.others ? [`${received.others} under other names`] : [];
  const fieldRows = fields.map(
    ({ field, from, at, note, value }): Row => [field, shortName(from ?? '-'), shownPlace(at), note, value],
  );
  const ruleRows = rules.map(({ path, verdict, isDecisive }) => [
    shortPath(path),
    isDecisive ? `${verdict}: this decided` : verdict,
  ]);
  return [
    ...valueTable(['field', 'from', 'at', 'note'], fieldRows, showsValues),
    ...fields.filter(({ from }) => from === null).map(({ field, tried }) => listed(`${field}: tried`, tried)),
    ...(groups ? groupParts(groups, showsValues) : []),
    ...(ruleRows.length > 0 ? [table(['rule', 'verdict'], ruleRows)] : []),
    ...(decided ? [`decided ${decided}; the handler returned another response`] : []),
    listed('received', [...received.names, ...others]),
  ];
}

function groupParts(
  { known, received, mapped, unmatched, sources, values, everybody }: ExplainedGroups,
  showsValues: boolean,
): string[] {
  const sourceRows = sources.map((source) => [source.from, shortName(source.name), gaveText(source)]);
  const rows = values.map(
    ({ at, rows, value }): Row => [shownPlace(at), rows.map(shortPath).join(', ') || 'no row', value],
  );
  const ofEverybody = everybody.map(({ path, uuid }): Row => ['everybody', shortPath(path), uuid]);
  return [
    ...(sources.length > 0 ? [table(['groups.from', 'name', 'gave'], sourceRows)] : []),
    ...valueTable(['group at', 'row'], [...ofEverybody, ...rows], showsValues),
    `groups  ${known ? `${received} received, ${mapped} mapped, ${unmatched} unmatched` : 'not known'}`,
  ];
}

/** What a handler of code read of the event. The names are in the event: a cell cannot move the cursor. */
function readParts(reads: HandlerReads | null, showsValues: boolean): string[] {
  if (reads === null) return [];
  if (typeof reads === 'string') return [reads];
  const rows = reads.map(
    ({ name, text, at, what }): Row => [...[showable(name), shownPlace(at), WHAT[what]], text],
  );
  return valueTable(['the handler read', 'at', ''], rows, showsValues);
}

const WHAT: Readonly<Record<HandlerRead['what'], string>> = {
  value: '',
  whole: 'the whole of it',
  absent: 'absent',
};

function listed(title: string, items: readonly string[]): string {
  return `${title}  ${items.join(', ') || 'nothing'}`;
}
