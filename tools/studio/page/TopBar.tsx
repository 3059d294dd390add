import type { Served } from '../api.ts';
import type { Live } from './connection/useChanges.ts';
import { hrefOf, type Route, type View } from './route.ts';
import { useStudio } from './useStudio.ts';
import { servedSentence } from './words.ts';

const VIEWS: readonly { route: Route; title: string; views: readonly View[] }[] = [
  { route: { view: 'logins', id: null }, title: 'Logins', views: ['logins', 'keep'] },
  { route: { view: 'paste' }, title: 'Paste', views: ['paste'] },
  { route: { view: 'sign-in', id: null }, title: 'Sign in', views: ['sign-in'] },
  { route: { view: 'compare', functionName: null, other: null }, title: 'Compare', views: ['compare'] },
];

export function TopBar({ route, live }: { route: Route; live: Live }) {
  const { project } = useStudio();
  return (
    <header class="top">
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <span class="brand">Login studio</span>
      <nav aria-label="Views">
        {VIEWS.map(({ route: to, title, views }) => (
          <a key={title} href={hrefOf(to)} aria-current={views.includes(route.view) ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <span class="stage">
        stage <b>{project.stage}</b>
      </span>
      <LiveLine live={live} served={project.served} />
      {project.problems.map((problem) => (
        <pre key={problem} class="problem" role="alert">
          {problem}
        </pre>
      ))}
    </header>
  );
}

/** Read out when it changes. */
function LiveLine({ live: { news, isGone }, served }: { live: Live; served: Served }) {
  return (
    <p class={`live ${isGone ? 'is-gone' : ''}`} role="status">
      {isGone
        ? 'The studio does not respond. Start it again with npm start, and open the address that it prints.'
        : servedSentence(served, news)}
    </p>
  );
}

/** No link: the fragment of the address says which view is shown. */
function skipToMain(): void {
  document.getElementById('main')?.focus();
}
