import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../../shared/readable.ts';
import type { LoginRow } from '../../api.ts';
import { hrefOf } from '../route.ts';
import { useStudio } from '../useStudio.ts';
import { LoginLink } from './LoginLink.tsx';
import { type Section, sectionsOf } from './order.ts';

export function LoginList({ openId }: { openId: string | null }) {
  const { logins, forgotten } = useStudio();
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLElement>(null);
  const [unfolded, setUnfolded] = useState<boolean | null>(null);
  const sections = useMemo(() => sectionsOf(logins, filter), [logins, filter]);
  const isShown = ({ isFolded, rows }: Section) =>
    !isFolded || filter !== '' || (unfolded ?? rows.some(({ id }) => id === openId));
  const rows = sections.filter(isShown).flatMap((section) => section.rows);
  const count = sections.reduce((sum, section) => sum + section.rows.length, 0);
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
          {counted(count, 'login')}
        </span>
      </div>
      {forgotten > 0 && (
        <p class="note">
          {counted(forgotten, 'older login is', 'older logins are')} not here any more: there was no room for
          more.
        </p>
      )}
      <div class="sections" {...walking}>
        {sections.map((section) => (
          <section key={section.title} aria-label={section.title}>
            <SectionTitle section={section} isShown={isShown(section)} onToggle={setUnfolded} />
            {isShown(section) && (
              <ul>
                {section.rows.map((row) => (
                  <li key={row.id}>
                    <LoginLink row={row} isOpen={row.id === openId} isTabStop={row.id === tabStop} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
        {count === 0 && <p class="empty">No login has these words. Empty the filter to see all.</p>}
      </div>
    </nav>
  );
}

interface SectionTitleProps {
  section: Section;
  isShown: boolean;
  onToggle: (isShown: boolean) => void;
}

function SectionTitle({ section: { title, rows, isFolded }, isShown, onToggle }: SectionTitleProps) {
  const changed = isFolded ? rows.filter(({ changes }) => changes.length > 0).length : 0;
  const text = (
    <>
      {title} <small>{rows.length}</small>{' '}
      {changed > 0 && <small class="is-changed">± {changed} changed</small>}
    </>
  );
  if (!isFolded) return <h2>{text}</h2>;
  return (
    <h2>
      <button type="button" class="fold" aria-expanded={isShown} onClick={() => onToggle(!isShown)}>
        {text}
      </button>
    </h2>
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
