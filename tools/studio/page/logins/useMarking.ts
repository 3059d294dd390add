import { useMemo, useState } from 'preact/hooks';
import type { Mark } from '../../../explain/explanation.ts';
import { keyOf } from './marks.ts';

/** What ties the explanation of a login to its event: pointing at one lights the other. */
export interface Marking {
  marks: readonly Mark[];
  /** Of the texts that are pointed at, or that belong to what is pointed at. */
  hotKeys: ReadonlySet<string>;
  setHot: (marks: readonly Mark[]) => void;
  /** @param key of a text of the event; null for none */
  setHotPath: (key: string | null) => void;
  /** The text that is to be shown and focused; an object of its own each time. */
  target: Mark | null;
  setTarget: (mark: Mark) => void;
}

const NONE: readonly Mark[] = [];

export function useMarking(marks: readonly Mark[]): Marking {
  const [hot, setHot] = useState(NONE);
  const [target, setTarget] = useState<Mark | null>(null);
  const hotKeys = useMemo(() => new Set(hot.map(({ path }) => keyOf(path))), [hot]);
  return {
    marks,
    hotKeys,
    setHot,
    setHotPath: (key) => setHot(key === null ? NONE : marks.filter(({ path }) => keyOf(path) === key)),
    target,
    setTarget: (mark) => setTarget({ ...mark }),
  };
}

/** Whether one of these marks is lit. */
function isLit({ hotKeys }: Marking, marks: readonly Mark[]): boolean {
  return marks.some(({ path }) => hotKeys.has(keyOf(path)));
}

/** Properties of an element that lights these marks while it is pointed at, or the focus is in it. */
export function pointingAt(marking: Marking, marks: readonly Mark[], className: string) {
  const light = () => marking.setHot(marks);
  const unlight = () => marking.setHot(NONE);
  return {
    class: isLit(marking, marks) ? `${className} is-hot` : className,
    onMouseEnter: light,
    onMouseLeave: unlight,
    onFocusCapture: light,
    onBlurCapture: unlight,
  };
}
