/** The bar: the views, and whether what answers is of the files as they are. */
import { counted } from '../../shared/readable.ts';
import { hrefTo, type View } from '../address.ts';
import type { Row } from '../row.ts';
import { type Project, placeIn } from '../studio.ts';
import { clockText } from '../words.ts';
import { Action } from './parts.tsx';

const VIEWS = [
  ['logins', 'Logins'],
  ['paste', 'Paste'],
  ['sign-in', 'Sign in'],
  ['compare', 'Compare'],
] as const;

export function Top({ view, rows, project }: { view: View; rows: readonly Row[]; project: Project }) {
  const failing = rows.filter(({ isFailing, login }) => isFailing && login.origin === 'sample');
  return (
    <>
      <button type="button" class="skip" data-show="main">
        Skip to the content
      </button>
      <span class="brand">Login studio</span>
      <nav aria-label="Views">
        {VIEWS.map(([name, title]) => (
          <a href={hrefTo(name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Alarm rows={rows.filter(({ isUnexpectedlyIn }) => isUnexpectedlyIn)} text="should not get in" />
      <Alarm rows={failing} text="failed" />
      <p class="live" role="status">
        {servedText(project, rows)}
      </p>
      {project.problems.map((problem, index) => {
        const place = placeIn(problem);
        return (
          <div class="problem" role="alert">
            <pre>{problem}</pre>
            {place !== null && <Action action={`editor/${index}`} label="Open this line" title={place} />}
          </div>
        );
      })}
    </>
  );
}

function Alarm({ rows, text }: { rows: readonly Row[]; text: string }) {
  const [first] = rows;
  if (!first) return null;
  return (
    <a class="alarm" href={hrefTo('logins', first.id)}>
      {rows.length} {text}
    </a>
  );
}

function servedText({ served: { state, at, files } }: Project, rows: readonly Row[]): string {
  if (state === 'unchanged') return 'Follows your files';
  if (state === 'saving') return 'saving …';
  const changed = rows.filter(({ login }) => login.changes.length > 0).length;
  const facts = [
    `${state === 'refused' ? 'not served' : 'served'} ${clockText(at)}`,
    files.length > 2 ? `${files.length} files` : files.join(', '),
    state === 'refused' ? '' : `${counted(changed, 'response')} changed`,
  ];
  return facts.filter(Boolean).join(' · ');
}
