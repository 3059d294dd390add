/** What views are made of: texts, and the five shapes: panel, table, list of terms, list, form. */
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Place } from '../../explain/places.ts';
import type { Finding } from '../../shared/finding.ts';
import { beginning } from '../../shared/readable.ts';
import { idOf } from '../marks.ts';
import { LEVELS, type Tone, type Word } from '../words.ts';

/**
 * Control characters and lone surrogates, characters that change the direction of the text after them (UAX 9 section 2),
 * characters without ink, and white space other than the plain space.
 */
const HIDDEN = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs})/u;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Parts of a text; every second one is an escape, which stands for one character that has no ink of its own. */
export function piecesOf(text: string): string[] {
  return text.split(HIDDEN).map((part, index) => (index % 2 === 1 ? escapeOf(part) : part));
}

function escapeOf(character: string): string {
  const digits = character.codePointAt(0)?.toString(16) ?? '';
  return SHORT[character] ?? (digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`);
}

/** A text of a login. Nothing in it hides, and nothing in it reorders what is around it. */
export function Text({ text }: { text: string }) {
  return (
    <bdi>
      {piecesOf(text).map((piece, index) =>
        index % 2 === 1 ? (
          <span class="escape" title="A character that cannot be seen">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </bdi>
  );
}

/** In characters. */
const SHOWN_AT_FIRST = 300;
const SHOWN_AT_ALL = 20_000;

export function LongText({ text }: { text: string }) {
  if (text.length <= SHOWN_AT_FIRST) return <Text text={text} />;
  return (
    <details>
      <summary>
        <Text text={beginning(text, SHOWN_AT_FIRST)} /> <small>{text.length} characters</small>
      </summary>
      <Text text={beginning(text, SHOWN_AT_ALL)} />
    </details>
  );
}

export function Code({ text }: { text: string }) {
  return (
    <code>
      <Text text={text} />
    </code>
  );
}

/** A sentence of ours, in which names of code stand between backticks. */
export function WithCode({ text }: { text: string }) {
  if (text.length > SHOWN_AT_FIRST) return <LongText text={text} />;
  return text
    .split(/`([^`\s]+)`/)
    .map((part, index) => (index % 2 === 1 ? <Code text={part} /> : <Text text={part} />));
}

/** A text of the event, which leads to its place there. */
export function At({ path, text }: { path: Place; text: string }) {
  return (
    <button type="button" class="link" data-show={idOf('event', path)} title="Show it in the event">
      <Text text={beginning(text, SHOWN_AT_FIRST)} />
    </button>
  );
}

/** One outline for each tone, so that colour is never the only sign. The shell has them. */
export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg class={`shape is-${tone}`} width="16" height="16" aria-hidden="true">
      <use href={`#shape-${tone}`} />
    </svg>
  );
}

export function Sign({ word, tone }: Word) {
  return (
    <span class={`sign is-${tone}`}>
      <Shape tone={tone} />
      <Text text={word} />
    </span>
  );
}

export function Panel({
  title,
  aside = '',
  kind = '',
  children,
}: PropsWithChildren<{ title: string; aside?: string; kind?: string }>) {
  return (
    <section class={`panel ${kind}`} aria-label={title}>
      <h2>
        {title} <small>{aside}</small>
      </h2>
      {children}
    </section>
  );
}

export function Folded({ id, title, children }: PropsWithChildren<{ id: string; title: Child }>) {
  return (
    <details id={id}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface TableProps {
  label: string;
  heads: readonly string[];
  /** The first cell of each is its head. */
  rows: readonly (readonly Child[])[];
}

export function Table({ label, heads, rows }: TableProps) {
  return (
    <div class="scrolls">
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr>
              <th scope="row">{first}</th>
              {rest.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type Term = readonly [name: string, ...descriptions: Child[]];

export function Terms({ rows }: { rows: readonly Term[] }) {
  return (
    <dl>
      {rows.map(([term, ...all]) => (
        <>
          <dt>{term}</dt>
          {all.filter(Boolean).map((one) => (
            <dd>{one}</dd>
          ))}
        </>
      ))}
    </dl>
  );
}

export function List({ label, items }: { label?: string; items: readonly Child[] }) {
  return (
    <ul aria-label={label}>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <span>
      <button type="button" data-copy={text}>
        {label}
      </button>{' '}
      <output class="outcome" />
    </span>
  );
}

/** A button that has the server do something. @param action below `/api/` */
export function Action({ action, label, title = '' }: { action: string; label: string; title?: string }) {
  return (
    <form class="action" data-action={action}>
      <button type="submit" title={title}>
        {label}
      </button>
      <div class="outcome" role="alert" />
    </form>
  );
}

export interface FieldProps {
  id: string;
  label: string;
  value?: string | undefined;
  hint?: string;
  isSecret?: boolean;
  /** Of a text that is pasted, or a file of it. Default: a line. */
  rows?: number;
}

export function Field({ id, label, hint = '', rows, isSecret = false, ...given }: FieldProps) {
  const common = { id, name: id, autocomplete: 'off', spellcheck: false, 'aria-describedby': `${id}-hint` };
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input type={isSecret ? 'password' : 'text'} {...common} {...given} />
      ) : (
        <textarea rows={rows} {...common} />
      )}
      <small id={`${id}-hint`}>{hint}</small>
      {rows !== undefined && <input type="file" name={`${id}File`} aria-label={`${label}, from a file`} />}
    </div>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  /** What an empty value is called; left out where one has to be chosen. */
  none?: string;
  values: readonly string[];
  value: string | null | undefined;
  titles?: Readonly<Record<string, string>>;
}

export function Choice({ id, label, none, values, value, titles = {} }: ChoiceProps) {
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} name={id}>
        {none !== undefined && <option value="">{none}</option>}
        {values.map((one) => (
          <option value={one} selected={one === value}>
            {titles[one] ?? one}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What is wrong with a login, or worth knowing, each with what to change. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ code, level, message, change }) => (
        <li data-code={code} data-level={level}>
          <Sign {...LEVELS[level]} />
          <div>
            <WithCode text={message} />
            {change !== null && (
              <p class="fix">
                <WithCode text={change} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
