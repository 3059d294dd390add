import { useEffect, useState } from 'preact/hooks';
import type { Changed } from '../../api.ts';
import { changeSentence } from '../words.ts';
import { followChanges } from './changeStream.ts';

export interface Live {
  /** Null until the first ones are here. */
  changed: Changed | null;
  /** Counts what came, so that what is shown of a login can be asked for again. */
  version: number;
  /** What the last change of files did to the responses; empty where none changed. */
  news: string;
  isGone: boolean;
}

const NOTHING: Live = { changed: null, version: 0, news: '', isGone: false };

/** What the server says of the logins, kept current while the page is visible: a browser has few connections to a server. */
export function useChanges(token: string | null, onUnauthorized: () => void): Live {
  const [live, setLive] = useState(NOTHING);
  const isVisible = useIsVisible();
  useEffect(() => {
    if (token === null || !isVisible) return;
    return followChanges(token, {
      onChanged: (changed) => setLive((before) => after(before, changed)),
      onGone: () => setLive((before) => ({ ...before, isGone: true })),
      onUnauthorized,
    });
  }, [token, isVisible]);
  return live;
}

function after({ version, news }: Live, changed: Changed): Live {
  const { files, logins } = changed;
  const isByFiles = files.length > 0;
  const told = isByFiles ? changeSentence(files, logins) : news;
  return { changed, version: version + 1, news: told, isGone: false };
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const onChange = () => setIsVisible(!document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return isVisible;
}
