/** How a response came about, for people: what decided, then each part of the decision as a short table. */

import { showable } from '../../lib/text.ts';
import { type CardOptions, type CardRow, cardOf, plainSentenceOf, sentenceOf } from '../explain/card.ts';
import {
  type AnsweredLogin,
  type ExplainedField,
  type ExplainedGroups,
  type ExplainedRule,
  type Explanation,
  explanationOf,
  gaveText,
  loginRecord,
  shortName,
  shortPath,
} from '../explain/explanation.ts';
import { type Place, placeText } from '../explain/places.ts';
import type { HandlerRead, HandlerReads } from '../explain/reads.ts';
import type { Engine } from '../local/engine.ts';
import { ownMessage } from '../shared/ownWords.ts';
import { beginning } from '../shared/readable.ts';
import { table } from '../shared/table.ts';

interface ExplainOptions extends Pick<CardOptions, 'reads' | 'atMs'> {
  /** Whether the texts of the event are shown. They are read from the event: the function logs none. */
  showsValues: boolean;
}

/** In characters. */
const MAX_VALUE = 60;
const MAX_LINE = 100;

export function explain(
  login: AnsweredLogin,
  engine: Pick<Engine, 'stage'>,
  { showsValues, ...options }: ExplainOptions,
): string {
  const record = loginRecord(login.answered);
  if (record.event === undefined) return 'The login has no log record.';
  const explained = explanationOf(login);
  const card = cardOf(login, { ...options, env: engine.stage.env });
  const head = [`response ${record.answer}`, `reason   ${record.reason}`, `handler  ${record.handler}`];
  if (record.issuer !== undefined) head.push(`issuer   ${record.issuer}`);
  const own = ownMessage(String(login.answered.response?.message ?? ''));
  if (own) head.push(`message  standard, in ${own.language}`);
  if (Array.isArray(record.droppedFields)) head.push(`dropped  ${record.droppedFields.join(', ')}`);
  const values: Values = showsValues ? (value) => [value === null ? '-' : shownValue(value)] : () => [];
  const { reads = null } = options;
  const parts = [
    showsValues ? sentenceOf(login) : plainSentenceOf(login.answered),
    cardText(card, showsValues),
    head.join('\n'),
    ...decisionParts(explained, values),
    ...(reads === null ? [] : readParts(reads, values)),
  ];
  return parts.join('\n\n');
}

/** The cells of a value: one, or none where values are not shown. */
type Values = (value: string | null) => string[];

const TITLE_WIDTH = 'The person reads'.length;

/** @param showsValues whether what stands in the event is shown, and not only where */
export function cardText(card: readonly CardRow[], showsValues: boolean): string {
  return card
    .map(({ title, text, at }) => {
      const shown = showable(text).replaceAll(/\s+/g, ' ');
      if (at === null) return wrapped(title.padEnd(TITLE_WIDTH), shown.split(' '));
      const value = showsValues ? [...shown.split(' '), `(${shownPlace(at)})`] : [`at ${shownPlace(at)}`];
      return wrapped(title.padEnd(TITLE_WIDTH), value);
    })
    .join('\n');
}

function shownPlace(at: Place | null): string {
  return at === null ? '' : showable(placeText(at));
}

function decisionParts(explained: Explanation, values: Values): string[] {
  const { fields, groups, rules, decided, received } = explained;
  if (received === null) return [];
  const others = received.others ? [`${received.others} under other names`] : [];
  return [
    ...(fields.length > 0 ? [fieldTable(fields, values)] : []),
    ...notFound(fields),
    ...(groups ? groupParts(groups, values) : []),
    ...(rules.length > 0 ? [ruleTable(rules)] : []),
    ...(decided ? [`decided ${decided}; the handler returned another response`] : []),
    listed('received', [...received.names, ...others]),
  ];
}

function fieldTable(fields: readonly ExplainedField[], values: Values): string {
  const rows = fields.map(({ field, from, at, note, value }) => [
    field,
    shortName(from ?? '-'),
    shownPlace(at),
    note,
    ...values(value),
  ]);
  return table(['field', 'from', 'at', 'note', ...valueTitle(values)], rows);
}

/** What was tried for each field without a value. */
function notFound(fields: readonly ExplainedField[]): string[] {
  return fields
    .filter(({ from }) => from === null)
    .map(({ field, tried }) => listed(`${field}: tried`, tried));
}

function groupParts(groups: ExplainedGroups, shown: Values): string[] {
  const { known, received, mapped, unmatched, sources, values, everybody } = groups;
  const count = known ? `${received} received, ${mapped} mapped, ${unmatched} unmatched` : 'not known';
  const sourceRows = sources.map((source) => [source.from, shortName(source.name), gaveText(source)]);
  const everybodyRows = everybody.map(({ path, uuid }) => [shortPath(path), uuid]);
  const groupRows = values.map(({ at, rows, value }) => [
    shownPlace(at),
    rows.map(shortPath).join(', ') || 'no row',
    ...shown(value),
  ]);
  return [
    ...(sources.length > 0 ? [table(['groups.from', 'name', 'gave'], sourceRows)] : []),
    ...(everybody.length > 0 ? [table(['everybody', 'user group'], everybodyRows)] : []),
    ...(groupRows.length > 0 ? [table(['group at', 'row', ...valueTitle(shown)], groupRows)] : []),
    `groups  ${count}`,
  ];
}

function ruleTable(rules: readonly ExplainedRule[]): string {
  const rows = rules.map(({ path, verdict, isDecisive }) => [
    shortPath(path),
    isDecisive ? `${verdict}: this decided` : verdict,
  ]);
  return table(['rule', 'verdict'], rows);
}

/** What a handler of code read of the event. The names are in the event: a cell cannot move the cursor. */
function readParts({ reads, problem }: HandlerReads, values: Values): string[] {
  if (problem !== null) return [problem];
  const rows = reads.map(({ name, text, at, what }) => [
    showable(name),
    shownPlace(at),
    WHAT[what],
    ...values(text),
  ]);
  return [table(['the handler read', 'at', '', ...valueTitle(values)], rows)];
}

const WHAT: Readonly<Record<HandlerRead['what'], string>> = {
  value: '',
  whole: 'the whole of it',
  absent: 'absent',
};

function valueTitle(values: Values): string[] {
  return values('').length > 0 ? ['value'] : [];
}

/** A value cannot move the cursor or hide what is beside it. */
function shownValue(text: string): string {
  return beginning(JSON.stringify(showable(text)), MAX_VALUE);
}

function listed(title: string, items: readonly string[]): string {
  return wrapped(title, (items.join(', ') || 'nothing').split(' '));
}

/** Words after a title, in lines that begin below the first word. */
function wrapped(title: string, words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.pop();
    if (line === undefined) lines.push(word);
    else if (line.length + word.length < MAX_LINE) lines.push(`${line} ${word}`);
    else lines.push(line, word);
  }
  return `${title}  ${lines.join(`\n${' '.repeat(title.length + 2)}`)}`;
}
