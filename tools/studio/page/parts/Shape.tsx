import type { Tone, Word } from '../words.ts';

/** One outline for each tone, so that colour is never the only sign. */
const OUTLINES: Readonly<Record<Tone, string>> = {
  good: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.7 5.2-4.3 5a.9.9 0 0 1-1.3 0L4.2 9.1l1.2-1.2 1.3 1.4 3.7-4.3Z',
  stopped: 'M8 .6 15.4 8 8 15.4.6 8ZM4.6 7.1v1.8h6.8V7.1Z',
  bad: 'M8 1.2 15.6 14.6H.4ZM7.1 6v4.4h1.8V6Zm0 5.4v1.7h1.8v-1.7Z',
  none: 'M2 2h12v12H2Zm1.6 1.6v8.8h8.8V3.6Z',
};

export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg class={`shape is-${tone}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={OUTLINES[tone]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

/** A word with its shape. */
export function Sign({ word: { word, tone } }: { word: Word }) {
  return (
    <span class={`sign is-${tone}`}>
      <Shape tone={tone} /> {word}
    </span>
  );
}
