/** The evidence: the event, with what was used of it, and what was made of that. */
import {
  type ExplainedField,
  type ExplainedGroups,
  type ExplainedRule,
  gaveText,
  shortName,
  shortPath,
} from '../../explain/explanation.ts';
import { claimsIn, placeText, textAt } from '../../explain/places.ts';
import { addressFact } from '../../explain/reasons.ts';
import { kindOf } from '../../shared/functions.ts';
import type { Detail } from '../detail.ts';
import { idOf, type Marks, marksOf } from '../marks.ts';
import { RULE_VERDICTS } from '../words.ts';
import { At, Code, Folded, LongText, Panel, Sign, Table, type Term, Terms } from './parts.tsx';
import { Tree } from './tree.tsx';

export function Evidence({ detail }: { detail: Detail }) {
  const { event, explanation, outcome } = detail;
  const marks = marksOf(detail.marks);
  const isTable = kindOf(detail.login.sample.functionName) === 'SAML' && claimsIn(event).length > 0;
  const { fields, groups, rules } = explanation;
  const rows = [
    ...fields.map((field) => fieldRow(field, detail)),
    ...(groups === null ? [] : [groupsRow(groups)]),
    // Of somebody who gets in, the card has them all.
    ...rules.filter(({ isDecisive }) => !isDecisive && outcome !== 'authorized').map(ruleRow),
  ];
  return (
    <div class="evidence">
      <Panel title="Event">
        {isTable && <Attributes event={event} marks={marks} />}
        {isTable ? (
          <Folded id="whole" title="The whole event">
            <Tree id="whole-event" value={event} marks={marks} />
          </Folded>
        ) : (
          <Tree id="event" value={event} marks={marks} />
        )}
      </Panel>
      {rows.length > 0 && (
        <Panel title="Profile">
          <Terms rows={rows} />
        </Panel>
      )}
    </div>
  );
}

/** Of more, the first are shown in the table, and all in the whole event. */
const MAX_ATTRIBUTES = 100;
const ALWAYS = [
  { names: ['Issuer'], at: ['assertion', 'issuer'] },
  { names: ['NameID'], at: ['assertion', 'subject', 'name_id', 'value'] },
];

/** What an assertion says of the person, each by the name by which people know it. */
function Attributes({ event, marks }: { event: unknown; marks: Marks }) {
  return (
    <Table
      label="Attributes"
      heads={['Name', 'Value', 'Used for']}
      rows={[...ALWAYS, ...claimsIn(event).slice(0, MAX_ATTRIBUTES)].map(({ names, at }) => {
        const [longName = '', friendlyName = longName.replace(/^https?:\/\/.*\/(?=.)/, '')] = names;
        const uses = marks.usesOf(at);
        const Shown = uses.length > 0 ? 'mark' : 'span';
        return [
          <>
            <LongText text={friendlyName} />
            <small>
              <LongText text={friendlyName === longName ? '' : longName} />
            </small>
          </>,
          <Shown id={idOf('event', at)} tabindex={-1}>
            <LongText text={textAt(event, at) ?? ''} />
          </Shown>,
          uses.map((use) => <div class="use">{use}</div>),
        ];
      })}
    />
  );
}

function fieldRow(explained: ExplainedField, { outcome, card }: Detail): Term {
  const { field, value, note, hint, at, from } = explained;
  // A claim may have that name too, and then it has a place.
  const isFallback = from === 'fallback' && at === null;
  const isInCard = card.some(({ text }) => text.includes(hint));
  // What the provider says of an address stands in the card, unless something else is why nobody gets in.
  const isOther = outcome === 'forbidden';
  const fact = addressFact(note);
  const notes = fact === undefined ? [note, !isInCard && hint] : [isOther && fact];
  return [
    field,
    <>
      {from === null && <Sign word="no value" tone="none" />}
      {at !== null && <At path={at} text={value ?? placeText(at)} />}{' '}
      <small>
        <LongText text={isFallback ? 'the fallback of the mapping' : shortName(from ?? '')} />
      </small>
    </>,
    ...notes.map((one) => one && <LongText text={one} />),
  ];
}

/** The groups that the provider sent, and the rows of the mapping's table that they matched. */
function groupsRow(groups: ExplainedGroups): Term {
  const { known, received, mapped, unmatched, sources, values, everybody } = groups;
  return [
    'groups',
    known
      ? `${received} received, ${mapped} mapped, ${unmatched} in no row`
      : 'The provider does not say which',
    ...sources.map((source) => (
      <>
        <Code text={source.name} /> {gaveText(source)}
      </>
    )),
    ...values.map(({ at, value, rows, isDenied }) => (
      <>
        <At path={at} text={value ?? placeText(at)} /> {isDenied && <Sign word="denied" tone="stopped" />}{' '}
        {rows.length > 0 && `→ ${rows.join(', ')}`}
        {rows.length === 0 && !isDenied && 'in no row'}
      </>
    )),
    ...everybody.map(({ path, uuid }) => `everybody → ${path} (${uuid})`),
    received > values.length && `The first ${values.length} are shown`,
  ];
}

function ruleRow({ path, verdict, value, text }: ExplainedRule): Term {
  return [
    shortPath(path),
    <>
      <Sign {...RULE_VERDICTS[verdict]} />{' '}
      {value !== null && !text?.includes(value) && <LongText text={value} />}
    </>,
    text !== null && <LongText text={text} />,
  ];
}
