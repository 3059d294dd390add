/** In the repository of login-hooks its samples would hide an operator's own: a line stands for those that are as they should be. */
import type { Judged } from '../explain/judgedSamples.ts';
import { isOwnSample } from '../local/shipped.ts';

type Shown = Pick<Judged, 'sample' | 'verdict'>;

/** Whether nothing has to be said of an event: login-hooks ships it, and it is as expected or for another handler. */
export function isCollapsed({ sample, verdict }: Shown): boolean {
  return !isOwnSample(sample) && (verdict.kind === 'expected' || verdict.kind === 'other');
}

/** What is told of the events without a row, in a line; an empty list where each has one. */
export function collapsedLine(all: readonly Shown[]): string[] {
  const collapsed = all.filter(isCollapsed);
  if (collapsed.length === 0) return [];
  const expected = collapsed.filter(({ verdict }) => verdict.kind === 'expected').length;
  const others = collapsed.length - expected;
  const counts = [
    ...(expected > 0 ? [`${expected} as expected`] : []),
    ...(others > 0 ? [`${others} for another handler`] : []),
  ];
  return [`Samples of login-hooks: ${counts.join(', ')}; --all shows each`];
}
