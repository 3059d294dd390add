import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LoginRow } from '../../api.ts';
import { hrefOf } from '../route.ts';
import { useStudio } from '../useStudio.ts';
import { counted } from '../words.ts';
import { LoginLink } from './LoginLink.tsx';
import { sectionsOf } from './order.ts';

export function LoginList({ openId }: { openId: string | null }) {
  const { logins } = useStudio();
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLElement>(null);
  const sections = useMemo(() => sectionsOf(logins, filter), [logins, filter]);
  const rows = sections.flatMap((section) => section.rows);
  const tabStop = rows.find(({ id }) => id === openId)?.id ?? rows[0]?.id;
  useEffect(() => {
    showOpen(list.current);
  }, [openId]);
  // A login that goes to another section has a new link.
  const focusedId = (document.activeElement as HTMLElement | null)?.dataset.id;
  useLayoutEffect(() => {
    if (focusedId && document.activeElement === document.body) linkOf(list.current, focusedId)?.focus();
  }, [sections]);
  // The links take the keys; they come up to here.
  const walking = { onKeyDown: (event: KeyboardEvent) => walk(event, rows, list.current) };
  return (
    <nav class="logins" aria-label="Logins" ref={list}>
      <div class="filter">
        <label for="filter">Filter</label>
        <input
          id="filter"
          type="search"
          placeholder="name, reason, handler …"
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <span class="count" role="status">
          {counted(rows.length, 'login')}
        </span>
      </div>
      <div class="sections" {...walking}>
        {sections.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h2>
              {title} <small>{rows.length}</small>
            </h2>
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <LoginLink row={row} isOpen={row.id === openId} isTabStop={row.id === tabStop} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {rows.length === 0 && <p class="empty">No login has these words. Empty the filter to see all.</p>}
      </div>
    </nav>
  );
}

/** In pixels: the title of a section covers that much. */
const MARGIN = 32;

/** By hand, because Chromium goes on from what `scrollIntoView` showed when Tab is pressed. */
function showOpen(list: HTMLElement | null): void {
  const [sections, link] = ['.sections', '[aria-current]'].map((one) => list?.querySelector(one));
  if (!sections || !link) return;
  const [frame, place] = [sections.getBoundingClientRect(), link.getBoundingClientRect()];
  const above = Math.min(0, place.top - frame.top - MARGIN);
  const below = Math.max(0, place.bottom - frame.bottom + MARGIN);
  sections.scrollTop += above || below;
}

function linkOf(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`a[data-id="${CSS.escape(id)}"]`) ?? null;
}

const STEPS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** The arrow keys choose the next login, as they do in a list of messages. */
function walk(event: KeyboardEvent, rows: readonly LoginRow[], list: HTMLElement | null): void {
  const step = STEPS[event.key];
  const links = [...(list?.querySelectorAll<HTMLElement>('a[data-id]') ?? [])];
  const index = links.indexOf(document.activeElement as HTMLElement);
  if (!step || index === -1) return;
  event.preventDefault();
  const next = step(index, links.length - 1);
  links[next]?.focus();
  const row = rows[next];
  if (row) location.replace(hrefOf({ view: 'logins', id: row.id }));
}
