/** The list: what came in this session, the newest first, and the samples, what needs attention first. */
import type { Child } from 'hono/jsx';
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import { type Address, hrefTo } from '../address.ts';
import { isSample, type Logins } from '../logins.ts';
import { listed, needsAttention, type Row } from '../row.ts';
import { clockText, OUTCOMES, VERDICTS } from '../words.ts';
import { Choice, Shape, Text } from './parts.tsx';

export function LoginList({ address, openId, logins }: { address: Address; openId: string; logins: Logins }) {
  const { id, query } = address;
  const outcome = query.get('outcome');
  const { session, samples } = listed(logins.all(), outcome);
  const shown = [...session, ...samples];
  const tabStop = shown.find((row) => row.id === openId) ?? shown[0];
  const section = (title: string, rows: readonly Row[], before: Child = null) => (
    <section aria-label={title}>
      <h2>
        {title} <small>{rows.length}</small>
      </h2>
      {before}
      <ul>
        {rows.map((row) => (
          <li>
            <a
              id={`row-${row.id}`}
              href={hrefTo('logins', row.id, { outcome })}
              data-id={row.id}
              aria-current={row.id === openId ? 'true' : undefined}
              tabindex={row === tabStop ? 0 : -1}
            >
              <Item row={row} isSeen={logins.isSeen(row.login)} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
  const nothing = (
    <p class="empty">
      Nothing yet. <a href={hrefTo('sign-in')}>Sign in at your provider</a>,{' '}
      <a href={hrefTo('paste')}>paste a login</a>, or send one to this machine.
    </p>
  );
  const follow = id !== null && <a href={hrefTo('logins', null, { outcome })}>Follow the newest</a>;
  return (
    <>
      <form data-address={hrefTo('logins', id)}>
        <Choice id="outcome" label="Outcome" none="all" values={Object.keys(OUTCOMES)} value={outcome} />
      </form>
      {section('This session', session, logins.all().every(isSample) ? nothing : follow)}
      {section('Samples', samples)}
    </>
  );
}

function Item({ row, isSeen }: { row: Row; isSeen: boolean }) {
  const { at, sample, changes, verdict } = row.login;
  const remarks = [
    row.whenItCame,
    changes.length > 0 && `± ${counted(changes.length, 'field')}`,
    // Of somebody who gets in wrongly, and of a failure, the fact says it.
    row.tone !== 'bad' && needsAttention(row) && VERDICTS[verdict.kind].word,
  ];
  const remark = remarks.find(Boolean);
  return (
    <>
      <Shape tone={row.tone} />
      <span class="name">
        <Text text={row.title} />
        {!isSeen && (
          <span class="dot" role="img" aria-label="not seen yet">
            {' ●'}
          </span>
        )}
      </span>
      <span class="when">{at === null ? kindOf(sample.functionName) : clockText(at)}</span>
      <span class={`what is-${row.tone}`}>
        <Text text={row.fact} />
      </span>
      {remark && <span class="remark">{remark}</span>}
    </>
  );
}
