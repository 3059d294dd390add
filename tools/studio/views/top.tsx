/** The bar: the views, and whether what answers is of the files as they are. */
import { counted } from '../../shared/readable.ts';
import { type Address, hrefTo, type View } from '../address.ts';
import { type Row, rowOf } from '../row.ts';
import type { Project, StudioState } from '../studio.ts';
import { clockText } from '../words.ts';
import { Action } from './parts.tsx';

const VIEWS: readonly { view: View; title: string; also?: View }[] = [
  { view: 'logins', title: 'Logins', also: 'keep' },
  { view: 'paste', title: 'Paste' },
  { view: 'sign-in', title: 'Sign in' },
  { view: 'compare', title: 'Compare' },
];

interface TopProps {
  address: Address;
  state: StudioState;
  project: Project;
}

export function Top({ address: { view }, state, project }: TopProps) {
  const rows = state.logins.all().map(rowOf);
  return (
    <>
      <button type="button" class="skip" data-show="main">
        Skip to the content
      </button>
      <span class="brand">Login studio</span>
      <nav aria-label="Views">
        {VIEWS.map((one) => (
          <a href={hrefTo(one.view)} aria-current={[one.view, one.also].includes(view) ? 'page' : undefined}>
            {one.title}
          </a>
        ))}
      </nav>
      <Alarm rows={rows.filter(({ isUnexpectedlyIn }) => isUnexpectedlyIn)} text="should not get in" />
      <Alarm
        rows={rows.filter(({ isFailing, login }) => isFailing && login.origin === 'sample')}
        text="failed"
      />
      <p class="live" role="status">
        {servedText(project, rows)}
      </p>
      {project.problems.map(({ text, place }, index) => (
        <div class="problem" role="alert">
          <pre>{text}</pre>
          {place !== null && <Action action={`editor/${index}`} label="Open this line" title={place} />}
        </div>
      ))}
    </>
  );
}

/** What nobody may overlook. */
function Alarm({ rows, text }: { rows: readonly Row[]; text: string }) {
  const [first] = rows;
  if (!first) return null;
  return (
    <a class="alarm" href={hrefTo('logins', first.id)}>
      {rows.length} {text}
    </a>
  );
}

/** Read out when it changes. */
function servedText({ served: { state, at, files } }: Project, rows: readonly Row[]): string {
  if (state === 'unchanged') return 'Follows your files';
  if (state === 'saving') return 'saving …';
  const time = clockText(at);
  const saved = files.length > 2 ? `${files.length} files` : files.join(', ');
  if (state === 'refused') return `${saved} not served ${time}`;
  const changed = rows.filter(({ login }) => login.changes.length > 0).length;
  const done = changed === 0 ? 'no response changed' : `${counted(changed, 'response')} changed`;
  return `served ${time}: ${saved === '' ? done : `${saved}: ${done}`}`;
}
