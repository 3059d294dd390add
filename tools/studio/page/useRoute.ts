import { useEffect, useState } from 'preact/hooks';
import { type Route, routeOf } from './route.ts';

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onHashChange = () => setHash(location.hash);
    addEventListener('hashchange', onHashChange);
    // It may have changed since the first render.
    onHashChange();
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return routeOf(hash);
}
