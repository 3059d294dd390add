import { useEffect, useState } from 'preact/hooks';
import { type Draft, draftOf, storedText } from './draft.ts';

const KEY = 'login-studio-sign-in';

export type OnDraft = (change: Partial<Draft>) => void;

/** The draft of this tab: it is still there when the provider leads back. */
export function useDraft(): [Draft, OnDraft] {
  const [draft, setDraft] = useState(() => draftOf(sessionStorage.getItem(KEY)));
  useEffect(() => store(draft), [draft]);
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))];
}

function store(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, storedText(draft));
  } catch {
    // The storage is full or off: the form is empty after a reload.
  }
}
