import { useEffect, useState } from 'preact/hooks';
import { tokenIn } from './token.ts';

const KEY = 'login-studio-token';

/**
 * The token, out of the address that `npm start` prints. From there on it is kept for this tab alone, and it leaves the
 * address, where it would be seen, copied and kept in the history.
 */
export function useToken(): { token: string | null; drop: () => void } {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const onHashChange = () => setToken(takeToken());
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  const drop = () => {
    sessionStorage.removeItem(KEY);
    setToken(null);
  };
  return { token, drop };
}

function takeToken(): string | null {
  const given = tokenIn(location.hash);
  if (given === null) return sessionStorage.getItem(KEY);
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', location.pathname);
  dispatchEvent(new HashChangeEvent('hashchange'));
  return given;
}
