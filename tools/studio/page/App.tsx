import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Compare } from './compare/Compare.tsx';
import { requester } from './connection/request.ts';
import { useChanges } from './connection/useChanges.ts';
import { useToken } from './connection/useToken.ts';
import { Keep } from './keep/Keep.tsx';
import { Logins } from './logins/Logins.tsx';
import { NoToken } from './NoToken.tsx';
import { Paste } from './paste/Paste.tsx';
import type { Route } from './route.ts';
import { SignedIn } from './signIn/SignedIn.tsx';
import { SignIn } from './signIn/SignIn.tsx';
import { TopBar } from './TopBar.tsx';
import { useRoute } from './useRoute.ts';
import { type Studio, StudioContext } from './useStudio.ts';

export function App() {
  const { token, drop } = useToken();
  const live = useChanges(token, drop);
  const route = useRoute();
  const request = useMemo(() => requester(token ?? '', drop), [token]);
  if (token === null) return <NoToken />;
  const { changed, version } = live;
  if (changed === null) return <Waiting isGone={live.isGone} />;
  const studio: Studio = { request, version, ...changed };
  return (
    <StudioContext.Provider value={studio}>
      <TopBar route={route} live={live} />
      <Main route={route} />
    </StudioContext.Provider>
  );
}

const MAIN = 'main';

/** The keyboard goes on in the view that was chosen. */
function Main({ route }: { route: Route }) {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) document.getElementById(MAIN)?.focus();
    isFirst.current = false;
  }, [route.view]);
  return (
    <main id={MAIN} tabIndex={-1} class={`view is-${route.view}`}>
      <ViewOf route={route} />
    </main>
  );
}

function ViewOf({ route }: { route: Route }) {
  switch (route.view) {
    case 'paste':
      return <Paste />;
    case 'sign-in':
      return route.id === null ? <SignIn /> : <SignedIn key={route.id} id={route.id} />;
    case 'keep':
      return <Keep key={route.id} id={route.id} />;
    case 'compare':
      return <Compare {...route} />;
    case 'logins':
      return <Logins {...route} />;
  }
}

function Waiting({ isGone }: { isGone: boolean }) {
  return (
    <main class="alone">
      <h1>Login studio</h1>
      <p role="status">
        {isGone ? 'The studio does not respond. Is npm start still running?' : 'Running the sample events …'}
      </p>
    </main>
  );
}
