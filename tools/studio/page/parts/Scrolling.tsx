import type { ComponentChildren } from 'preact';

/** A part that may be wider or higher than its place: the keyboard reaches it, to scroll it. */
export function Scrolling({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll here
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
