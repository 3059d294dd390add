/** The list: what came in this session, the newest first, and the samples, what needs attention first. */
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import { type Address, hrefTo } from '../address.ts';
import { listed, matching, needsAttention, type Row } from '../row.ts';
import type { StudioState } from '../studio.ts';
import { clockText, OUTCOMES, VERDICTS } from '../words.ts';
import { Shape, Text } from './parts.tsx';

interface ListProps {
  address: Address;
  /** Of the login that is shown; null for none. */
  openId: string | null;
  state: StudioState;
}

export function LoginList({ address: { id, query }, openId, state: { logins } }: ListProps) {
  const words = query.get('filter') ?? '';
  const outcome = query.get('outcome');
  const filter = { filter: words, outcome };
  const all = listed(logins.all());
  const session = matching(all.session, words, outcome);
  const own = matching(all.own, words, outcome);
  const shipped = matching(all.shipped, words, outcome);
  const isUnfolded = words !== '' || outcome !== null || shipped.some((row) => row.id === openId);
  const reached = [...session, ...own, ...(isUnfolded ? shipped : [])];
  const tabStop = reached.find((row) => row.id === openId) ?? reached[0];
  const rows = (of: readonly Row[]) => (
    <ul>
      {of.map((row) => (
        <li>
          <a
            id={`row-${row.id}`}
            href={hrefTo('logins', row.id, filter)}
            data-id={row.id}
            aria-current={row.id === openId ? 'true' : undefined}
            tabindex={row === tabStop ? 0 : -1}
          >
            <Item row={row} isSeen={logins.isSeen(row.login)} />
          </a>
        </li>
      ))}
    </ul>
  );
  const heading = (title: string, of: readonly Row[]) => (
    <>
      {title} <small>{of.length}</small>
    </>
  );
  return (
    <>
      <FilterForm id={id} words={words} outcome={outcome} />
      <section aria-label="This session">
        <h2>
          {heading('This session', session)}
          {id !== null && all.session.length > 0 && (
            <a class="follow" href={hrefTo('logins', null, filter)}>
              Follow the newest
            </a>
          )}
        </h2>
        {all.session.length === 0 && (
          <p class="empty">
            Nothing yet. <a href={hrefTo('sign-in')}>Sign in at your provider</a>,{' '}
            <a href={hrefTo('paste')}>paste a login</a>, or send one to this machine.
          </p>
        )}
        {rows(session)}
      </section>
      {own.length > 0 && (
        <section aria-label="Samples">
          <h2>{heading('Samples', own)}</h2>
          {rows(own)}
        </section>
      )}
      {shipped.length > 0 && (
        <details id="shipped" open={isUnfolded}>
          <summary>{heading('Samples of login-hooks', shipped)}</summary>
          {rows(shipped)}
        </details>
      )}
    </>
  );
}

interface FilterProps {
  id: string | null;
  words: string;
  outcome: string | null;
}

function FilterForm({ id, words, outcome }: FilterProps) {
  return (
    <form class="filter" data-address={hrefTo('logins', id)}>
      <input id="filter" name="filter" type="search" aria-label="Filter" placeholder="filter" value={words} />
      <select id="outcome" name="outcome" aria-label="Outcome">
        <option value="">all</option>
        {Object.entries(OUTCOMES).map(([one, { word }]) => (
          <option value={one} selected={one === outcome}>
            {word}
          </option>
        ))}
      </select>
    </form>
  );
}

function Item({ row, isSeen }: { row: Row; isSeen: boolean }) {
  const { at, sample, liveReason, answered, changes, verdict } = row.login;
  const isOtherwise = liveReason !== null && liveReason !== answered.reason;
  const remarks = [
    isOtherwise && `${liveReason} when it came`,
    changes.length > 0 && `± ${counted(changes.length, 'field')}`,
    !row.isUnexpectedlyIn && needsAttention(row) && VERDICTS[verdict.kind].word,
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
