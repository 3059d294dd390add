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

/** What the links of the list keep. */
type Filter = Record<'filter' | 'outcome', string | null>;

export function LoginList({ address: { id, query }, openId, state: { logins } }: ListProps) {
  const filter: Filter = { filter: query.get('filter'), outcome: query.get('outcome') };
  const all = listed(logins.all());
  const [session, own, shipped] = [all.session, all.own, all.shipped].map((rows) =>
    matching(rows, filter.filter ?? '', filter.outcome),
  ) as [Row[], Row[], Row[]];
  const isFiltered = filter.filter !== null || filter.outcome !== null;
  const isUnfolded = isFiltered || shipped.some((row) => row.id === openId);
  const reached = [...session, ...own, ...(isUnfolded ? shipped : [])];
  const tabStop = reached.find((row) => row.id === openId) ?? reached[0];
  const rows = (of: readonly Row[]) => (
    <ul>
      {of.map((row) => (
        <Item
          row={row}
          href={hrefTo('logins', row.id, filter)}
          isOpen={row.id === openId}
          isTabStop={row === tabStop}
          isSeen={logins.isSeen(row.login)}
        />
      ))}
    </ul>
  );
  return (
    <>
      <FilterForm id={id} filter={filter} count={session.length + own.length + shipped.length} />
      <section aria-label="This session">
        <h2>
          This session <small>{session.length}</small>
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
          <h2>
            Samples <small>{own.length}</small>
          </h2>
          {rows(own)}
        </section>
      )}
      {shipped.length > 0 && (
        <details id="shipped" open={isUnfolded}>
          <summary>
            Samples of login-hooks <small>{shipped.length}</small>
          </summary>
          {rows(shipped)}
        </details>
      )}
    </>
  );
}

function FilterForm({ id, filter, count }: { id: string | null; filter: Filter; count: number }) {
  return (
    <form class="filter" data-address={hrefTo('logins', id)}>
      <input
        id="filter"
        name="filter"
        type="search"
        aria-label="Filter"
        placeholder="name, reason, handler …"
        autocomplete="off"
        spellcheck={false}
        value={filter.filter ?? ''}
      />
      <select id="outcome" name="outcome" aria-label="Outcome">
        <option value="">all</option>
        {Object.entries(OUTCOMES).map(([outcome, { word }]) => (
          <option value={outcome} selected={outcome === filter.outcome}>
            {word}
          </option>
        ))}
      </select>
      <output>{counted(count, 'login')}</output>
    </form>
  );
}

interface ItemProps {
  row: Row;
  href: string;
  isOpen: boolean;
  isTabStop: boolean;
  isSeen: boolean;
}

function Item({ row, href, isOpen, isTabStop, isSeen }: ItemProps) {
  const { id, title, tone, fact, login } = row;
  const { at, sample } = login;
  return (
    <li>
      <a
        id={`row-${id}`}
        href={href}
        data-id={id}
        aria-current={isOpen ? 'true' : undefined}
        tabindex={isTabStop ? 0 : -1}
      >
        <Shape tone={tone} />
        <span class="name">
          <Text text={title} />
          {!isSeen && (
            <span class="dot" role="img" aria-label="not seen yet">
              {' ●'}
            </span>
          )}
        </span>
        <span class="when">{at === null ? kindOf(sample.functionName) : clockText(at)}</span>
        <span class={`what is-${tone}`}>
          <Text text={fact} />
        </span>
        <Remark row={row} />
      </a>
    </li>
  );
}

/** What asks for attention, in two words. */
function Remark({ row }: { row: Row }) {
  const { liveReason, answered, changes, verdict } = row.login;
  if (liveReason !== null && liveReason !== answered.reason)
    return <span class="remark">{liveReason} when it came</span>;
  if (changes.length > 0) return <span class="remark">± {counted(changes.length, 'field')}</span>;
  if (row.isUnexpectedlyIn || !needsAttention(row)) return null;
  return <span class="remark">{VERDICTS[verdict.kind].word}</span>;
}
