import { useRef } from 'preact/hooks';
import type { LoginRow } from '../../api.ts';
import { useStudio } from '../useStudio.ts';
import { Login } from './Login.tsx';
import { LoginList } from './LoginList.tsx';
import { openedFirst } from './order.ts';

/** The first view: all logins, and one of them with all that is known of it. */
export function Logins({ id, handler }: { id: string | null; handler?: string }) {
  const { logins } = useStudio();
  const first = useOpenedFirst(logins);
  const openId = id ?? first?.id ?? null;
  if (logins.length === 0) return <NoLogins />;
  return (
    <>
      <LoginList openId={openId} />
      {openId !== null && (
        <Login
          key={openId}
          id={openId}
          row={logins.find((login) => login.id === openId) ?? null}
          handler={handler}
        />
      )}
    </>
  );
}

/** It stays the same while files change, and gives way to the next login that is received; a shipped sample to one's own. */
function useOpenedFirst(logins: readonly LoginRow[]): LoginRow | null {
  const pinned = useRef<string | null>(null);
  const first = openedFirst(logins);
  const before = logins.find(({ id }) => id === pinned.current);
  const givesWay = first?.origin === 'received' || (before?.isShipped && !first?.isShipped);
  const opened = !before || givesWay ? first : before;
  pinned.current = opened?.id ?? null;
  return opened;
}

function NoLogins() {
  return (
    <div class="alone">
      <h1>No logins yet</h1>
      <p>
        Send one to this machine as <code>npm start</code> shows it, <a href="#/paste">paste one</a> that you
        caught in the browser's developer tools, or put an event into the folder <code>events/</code>.
      </p>
    </div>
  );
}
