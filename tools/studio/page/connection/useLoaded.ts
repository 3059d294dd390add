import { useLayoutEffect, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** What was loaded last, also while it is loaded again; null before. */
  value: T | null;
  /** Why it cannot be shown; null where it can. */
  problem: string | null;
  isLoading: boolean;
}

/** @param asked what decides about the answer: another value loads again */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  asked: readonly unknown[],
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, problem: null, isLoading: true });
  // Asked at once: other effects wait until the browser has drawn.
  useLayoutEffect(() => {
    const ending = new AbortController();
    setLoaded((before) => ({ ...before, isLoading: true }));
    load(ending.signal).then(
      (value) => !ending.signal.aborted && setLoaded({ value, problem: null, isLoading: false }),
      (error: Error) =>
        !ending.signal.aborted && setLoaded({ value: null, problem: error.message, isLoading: false }),
    );
    return () => ending.abort();
  }, asked);
  return loaded;
}
