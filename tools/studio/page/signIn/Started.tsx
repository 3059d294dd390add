import { useEffect, useRef } from 'preact/hooks';
import { Panel } from '../parts/Panel.tsx';
import { LongText } from '../parts/Text.tsx';
import { type Draft, startsAlike } from './draft.ts';
import { Refusal } from './Refusal.tsx';
import type { Outcome } from './useStart.ts';

/** What came of a button that starts a sign-in, until the form changes. */
export function Started({ value, draft }: { value: Outcome | null; draft: Draft }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [value]);
  if (value === null || !startsAlike(value.draft, draft)) return <div role="alert" ref={place} />;
  const { address, warning, refused } = value;
  return (
    <div role="alert" ref={place}>
      {refused && <Refusal title="The sign-in did not start" {...refused} />}
      {address && warning === null && <p>Opening {address.host} …</p>}
      {address && warning !== null && <Warned address={address} warning={warning} />}
    </div>
  );
}

function Warned({ address, warning }: { address: URL; warning: string }) {
  return (
    <Panel title="The provider may refuse this" kind="is-stopped">
      <p>
        <LongText text={warning} />
      </p>
      <button type="button" onClick={() => location.assign(address.href)}>
        Go on to {address.host}
      </button>
    </Panel>
  );
}
