import { useState } from 'preact/hooks';

export interface Action<A extends unknown[], T> {
  run: (...given: A) => Promise<void>;
  isRunning: boolean;
  /** What it gave the last time. */
  value: T | null;
  problem: string | null;
}

/** Something that a button does: one at a time, and what went wrong is a sentence. */
export function useAction<A extends unknown[], T>(act: (...given: A) => Promise<T>): Action<A, T> {
  const [state, setState] = useState<Omit<Action<A, T>, 'run'>>({
    isRunning: false,
    value: null,
    problem: null,
  });
  const run = async (...given: A) => {
    if (state.isRunning) return;
    setState({ isRunning: true, value: null, problem: null });
    await act(...given).then(
      (value) => setState({ isRunning: false, value, problem: null }),
      (error: Error) => setState({ isRunning: false, value: null, problem: error.message }),
    );
  };
  return { ...state, run };
}
