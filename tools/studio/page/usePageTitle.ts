import { useEffect } from 'preact/hooks';
import { escaped } from './showing.ts';

export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${escaped(name)} · Login studio`;
  }, [name]);
}
