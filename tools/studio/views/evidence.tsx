/** The evidence: the event, with what was used of it, and what was made of that. */
import type { Child } from 'hono/jsx';
import { ADDRESS_NOTES as NOTES } from '../../explain/card.ts';
import {
  type ExplainedField,
  type ExplainedGroups,
  type ExplainedRule,
  gaveText,
} from '../../explain/explanation.ts';
import { claimsIn, type Place, placeText, textAt } from '../../explain/places.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import type { Detail } from '../detail.ts';
import { idOf, type Marks, marksOf } from '../marks.ts';
import { cut } from '../texts.ts';
import { type Outcome, RULE_VERDICTS, type Word } from '../words.ts';
import { At, Code, Folded, List, LongText, Panel, Sign, Table, Terms, Text } from './parts.tsx';
import { Tree } from './tree.tsx';

export function Evidence({ detail }: { detail: Detail }) {
  const { event, explanation, outcome } = detail;
  const marks = marksOf(detail.marks);
  const isSaml = kindOf(detail.login.sample.functionName) === 'SAML';
  const attributes = isSaml ? attributesIn(event) : [];
  const { fields, groups, rules } = explanation;
  return (
    <div class="evidence">
      <Panel title="Event">
        {attributes.length === 0 ? (
          <Tree id="event" value={event} marks={marks} />
        ) : (
          <>
            <Attributes event={event} attributes={attributes} marks={marks} />
            <Folded id="whole-event" title="The whole event">
              <Tree id="whole" value={event} marks={marks} />
            </Folded>
          </>
        )}
        <Folded id="arrived" title="As it arrived">
          <Tree id="arrived-event" value={detail.arrived} />
        </Folded>
      </Panel>
      <div>
        {fields.length > 0 && (
          <Panel title="Fields">
            <Terms rows={fields.map((field) => [field.field, ...partsOf(field, outcome)])} />
          </Panel>
        )}
        {groups && <Groups groups={groups} outcome={outcome} />}
        <Rules rules={rules} />
      </div>
    </div>
  );
}

interface Attribute {
  /** First the one by which people know it. */
  names: readonly string[];
  at: Place;
}

/** Of more, the first are shown in the table, and all in the whole event. */
const MAX_ATTRIBUTES = 100;

/** What an assertion says of the person. Empty for an event that no handler gets. */
function attributesIn(event: unknown): Attribute[] {
  const all = claimsIn(event).slice(0, MAX_ATTRIBUTES);
  if (all.length === 0) return [];
  return [
    { names: ['Issuer'], at: ['assertion', 'issuer'] },
    { names: ['NameID'], at: ['assertion', 'subject', 'name_id', 'value'] },
    ...all.map(({ names, at }) => ({ names: [...new Set(names.toReversed())], at })),
  ];
}

function Attributes({
  event,
  attributes,
  marks,
}: {
  event: unknown;
  attributes: readonly Attribute[];
  marks: Marks;
}) {
  return (
    <Table
      label="Attributes"
      heads={['Name', 'Value', 'Used for']}
      rows={attributes.map(({ names: [name = '', longName = ''], at }) => {
        const uses = marks.usesOf(at);
        const Shown = uses.length > 0 ? 'mark' : 'span';
        return [
          <>
            <LongText text={name} />
            <small>
              <LongText text={longName} />
            </small>
          </>,
          <Shown id={idOf('event', at)} tabindex={-1}>
            <LongText text={textAt(event, at) ?? ''} />
          </Shown>,
          <span class="use">{uses.join(', ')}</span>,
        ];
      })}
    />
  );
}

const NO_VALUE: Word = { word: 'no value', tone: 'none' };
const DENIED: Word = { word: 'denied', tone: 'stopped' };
/** In characters: a claim may have any name. */
const MAX_NAME = 200;

/** Its value, and which claim or attribute gave it. */
function partsOf({ field, value, note, hint, at, from, tried }: ExplainedField, outcome: Outcome): Child[] {
  // What the provider says of an address stands in the card, unless something else is why nobody gets in.
  const ofAddress = outcome === 'forbidden' ? NOTES[note] : '';
  const notes = NOTES[note] === undefined ? [note, hint] : [ofAddress];
  return [
    <>
      {at === null ? <Sign word={NO_VALUE} /> : <At path={at} text={value ?? placeText(at)} />}{' '}
      <small>
        <Text text={cut(from ?? '', MAX_NAME)} />
      </small>
    </>,
    ...(from === null && tried.length > 0
      ? [
          <Folded id={`tried-${field}`} title={`${counted(tried.length, 'name')} tried`}>
            <Text text={tried.join(', ')} />
          </Folded>,
        ]
      : []),
    ...notes.filter(Boolean).map((one) => <LongText text={one ?? ''} />),
  ];
}

/** The groups that the provider sent, and the rows of the mapping's table that they matched. */
function Groups({ groups, outcome }: { groups: ExplainedGroups; outcome: Outcome }) {
  const { known, received, mapped, unmatched, note, sources, values, everybody } = groups;
  const summary = known
    ? `${received} received, ${mapped} mapped, ${unmatched} in no row`
    : 'The provider does not say which';
  const items = [
    // Of somebody who is refused, the card says what to change.
    outcome === 'authorized' && note !== '' && <LongText text={note} />,
    ...sources.map((source) => (
      <>
        <Code text={source.name} /> {gaveText(source)}
      </>
    )),
    ...values.map(({ at, value, rows, isDenied }) => (
      <>
        <At path={at} text={value ?? placeText(at)} /> {isDenied && <Sign word={DENIED} />}{' '}
        {rows.length > 0 && `→ ${rows.join(', ')}`}
        {rows.length === 0 && !isDenied && 'in no row'}
      </>
    )),
    ...everybody.map(({ path, uuid }) => `everybody → ${path} (${uuid})`),
    received > values.length && `The first ${values.length} are shown`,
  ];
  return (
    <Panel title="Groups" aside={summary}>
      <List label="Groups" items={items.filter(Boolean)} />
    </Panel>
  );
}

/** What the rules say, but for the one that decided: folded where they all allow the login. */
function Rules({ rules }: { rules: readonly ExplainedRule[] }) {
  const others = rules.filter(({ isDecisive }) => !isDecisive);
  if (others.length === 0) return null;
  const title = others.length < rules.length ? 'Other rules' : 'Rules';
  const list = (
    <List
      label={title}
      items={others.map(({ path, verdict, found, text }) => (
        <>
          <Sign word={RULE_VERDICTS[verdict]} /> <Code text={path} /> <LongText text={found ?? ''} />
          <small>
            <LongText text={text ?? ''} />
          </small>
        </>
      ))}
    />
  );
  const isCalm = others.every(({ verdict }) => verdict === 'allows');
  const summary = others.length === 1 ? 'It allows the login' : `All ${others.length} allow the login`;
  return (
    <Panel title={title}>
      {isCalm ? (
        <Folded id="rules" title={summary}>
          {list}
        </Folded>
      ) : (
        list
      )}
    </Panel>
  );
}
