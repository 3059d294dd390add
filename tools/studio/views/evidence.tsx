/** The evidence: the event, opened where it was used, and what was made of it. */

import { ADDRESS_NOTES as NOTES } from '../../explain/card.ts';
import {
  type ExplainedField,
  type ExplainedGroups,
  type ExplainedRule,
  gaveText,
} from '../../explain/explanation.ts';
import { type Place, placeText } from '../../explain/places.ts';
import type { HandlerRead } from '../../explain/reads.ts';
import { isInEnvelope } from '../../local/httpEvent.ts';
import { kindOf } from '../../shared/functions.ts';
import type { Detail } from '../detail.ts';
import { idOf, type Marks, marksOf, valueAt } from '../marks.ts';
import { cut } from '../texts.ts';
import { RULE_VERDICTS, type Word } from '../words.ts';
import { At, Code, Folded, LongText, Note, Panel, Sign, Table, Text } from './parts.tsx';
import { Tree } from './tree.tsx';

export function Evidence({ detail }: { detail: Detail }) {
  const { explanation, event, login, reads } = detail;
  const { fields, groups, rules } = explanation;
  const marks = marksOf(detail.marks);
  const attributes = attributesIn(event);
  const tree = <Tree id="event" value={event} marks={marks} />;
  return (
    <div class="evidence">
      <Panel title="Event" aside={isInEnvelope(login.sample.event) && <small>out of its HTTP request</small>}>
        {kindOf(login.sample.functionName) === 'SAML' && attributes.length > 0 ? (
          <>
            <Attributes attributes={attributes} marks={marks} />
            <Folded id="whole-event" title="The whole event">
              {tree}
            </Folded>
          </>
        ) : (
          tree
        )}
        <Folded id="arrived" title="As it arrived">
          <Tree id="arrived-event" value={detail.arrived} />
        </Folded>
      </Panel>
      <div>
        {fields.length > 0 && <Fields fields={fields} isIn={detail.outcome === 'authorized'} />}
        {groups && <Groups groups={groups} />}
        <Rules rules={rules} />
        {reads !== null && (
          <Panel title="What the handler read">
            {reads.reads.length === 0 && <p class="empty">{reads.problem ?? 'Nothing of the event.'}</p>}
            <ul class="values">
              {reads.reads.map((read) => (
                <Read read={read} />
              ))}
            </ul>
          </Panel>
        )}
      </div>
    </div>
  );
}

const STATEMENT = ['assertion', 'attribute_statement'];
/** Of more, the first are shown in the table, and all in the whole event. */
const MAX_ATTRIBUTES = 100;

interface Attribute {
  name: string;
  friendlyName: string;
  value: string;
  index: number;
}

function attributesIn(event: unknown): Attribute[] {
  const statement = valueAt(event, STATEMENT);
  if (!Array.isArray(statement)) return [];
  return statement.slice(0, MAX_ATTRIBUTES).map((_, index) => {
    const textOf = (key: string) => String(valueAt(statement, [index, key]) ?? '');
    return {
      name: textOf('name'),
      friendlyName: textOf('friendly_name'),
      value: textOf('value'),
      index,
    };
  });
}

function Attributes({ attributes, marks }: { attributes: readonly Attribute[]; marks: Marks }) {
  return (
    <Table label="Attributes" heads={['Name', 'Value', 'Used for']}>
      {attributes.map(({ name, friendlyName, value, index }) => {
        const uses = marks.usesOf([...STATEMENT, index, 'value']);
        return (
          <tr id={idOf('attribute', [index])} class={uses.length > 0 ? 'is-used' : ''}>
            <th scope="row">
              <LongText text={friendlyName || name} />
              {friendlyName !== '' && friendlyName !== name && (
                <small>
                  <LongText text={name} />
                </small>
              )}
            </th>
            <td>
              {uses.length > 0 ? (
                <mark>
                  <LongText text={value} />
                </mark>
              ) : (
                <LongText text={value} />
              )}
            </td>
            <td>{uses.join(', ')}</td>
          </tr>
        );
      })}
    </Table>
  );
}

const NO_VALUE: Word = { word: 'no value', tone: 'none' };

/** Each field of the response: its value, and which claim or attribute gave it. */
function Fields({ fields, isIn }: { fields: readonly ExplainedField[]; isIn: boolean }) {
  const isInCard = (note: string) => isIn && NOTES[note] !== undefined;
  return (
    <Panel title="Fields">
      <dl class="fields">
        {fields.map(({ field, value, note, hint, at, from, tried }) => (
          <div>
            <dt>{field}</dt>
            <dd>
              {value !== null && <LongText text={value} />}
              {from === null && at === null && <Sign word={NO_VALUE} />}
              {at !== null && <At path={at} text={from === null ? shownPlace(at) : cut(from, MAX_PATH)} />}
              {from === null && tried.length > 0 && (
                <p class="note">
                  Tried: <Text text={tried.join(', ')} />
                </p>
              )}
              {note !== '' && !isInCard(note) && <Note text={NOTES[note] ?? note} />}
              {hint !== '' && !isInCard(note) && <Note text={hint} />}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** In characters: a claim may have any name. */
const MAX_PATH = 200;
const DENIED: Word = { word: 'denied', tone: 'stopped' };

/** The groups that the provider sent, and the rows of the mapping's table that they matched. */
function Groups({ groups }: { groups: ExplainedGroups }) {
  const { known, received, mapped, unmatched, note, sources, values, everybody } = groups;
  const summary = known
    ? `${received} received, ${mapped} mapped, ${unmatched} in no row`
    : 'The provider does not say which';
  return (
    <Panel title="Groups" aside={<small>{summary}</small>}>
      {note !== '' && <Note text={note} />}
      <ul class="values" aria-label="Sources">
        {sources.map((source) => (
          <li>
            <Code text={source.name} /> {gaveText(source)}
          </li>
        ))}
      </ul>
      <ul class="values" aria-label="Groups">
        {values.map(({ at, value, rows, isDenied }) => (
          <li>
            <At path={at} text={value === null ? shownPlace(at) : cut(value, MAX_PATH)} />{' '}
            {isDenied && <Sign word={DENIED} />} {rows.length > 0 ? `→ ${rows.join(', ')}` : 'in no row'}
          </li>
        ))}
        {everybody.map(({ path, uuid }) => (
          <li>
            everybody → {path} ({uuid})
          </li>
        ))}
      </ul>
      {received > values.length && <p class="note">The first {values.length} are shown.</p>}
    </Panel>
  );
}

/** What the rules say, but for the one that decided: folded where they all allow the login. */
function Rules({ rules }: { rules: readonly ExplainedRule[] }) {
  const others = rules.filter(({ isDecisive }) => !isDecisive);
  if (others.length === 0) return null;
  const title = others.length < rules.length ? 'Other rules' : 'Rules';
  const list = (
    <ul class="values" aria-label={title}>
      {others.map(({ path, verdict, found, text }) => (
        <li>
          <Sign word={RULE_VERDICTS[verdict]} /> <Code text={path} />{' '}
          {found !== null && <LongText text={found} />}
          {text !== null && (
            <small>
              <LongText text={text} />
            </small>
          )}
        </li>
      ))}
    </ul>
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

function Read({ read: { name, text, at } }: { read: HandlerRead }) {
  return (
    <li>
      <Text text={cut(name, MAX_PATH)} />: {text === null ? 'absent' : <LongText text={text} />}
      <At path={at} text={shownPlace(at)} />
    </li>
  );
}

function shownPlace(at: Place): string {
  return cut(placeText(at), MAX_PATH);
}
