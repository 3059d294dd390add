import { useEffect, useRef } from 'preact/hooks';
import type { Registration } from '../../api.ts';
import type { Action } from '../connection/useAction.ts';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { LongText } from '../parts/Text.tsx';
import { useStudio } from '../useStudio.ts';
import { type Draft, isComplete, startsAlike } from './draft.ts';
import { OpenIdFields } from './OpenIdFields.tsx';
import { returnProblem } from './opening.ts';
import { Refusal } from './Refusal.tsx';
import { SamlFields } from './SamlFields.tsx';
import type { OnDraft } from './useDraft.ts';
import { type Outcome, useStart } from './useStart.ts';

interface SignInFormProps {
  registration: Registration;
  draft: Draft;
  onDraft: OnDraft;
}

/** What the studio has to know of the provider, and the button that leads there. */
export function SignInForm({ registration, draft, onDraft }: SignInFormProps) {
  const { request } = useStudio();
  const start = useStart(request);
  const { openid, saml, secretNames } = registration;
  const returned = draft.protocol === 'openid' ? openid.redirectUri : saml.acs;
  const elsewhere = returnProblem(returned, location.origin);
  return (
    <Panel title="2. Sign in there" kind="sign-in">
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void start.run(draft);
        }}
      >
        {draft.protocol === 'openid' ? (
          <OpenIdFields draft={draft} onDraft={onDraft} secretNames={secretNames} />
        ) : (
          <SamlFields draft={draft} onDraft={onDraft} />
        )}
        <button
          type="submit"
          class="main"
          disabled={!isComplete(draft) || elsewhere !== null || start.isRunning}
        >
          {start.isRunning ? 'Asking the provider …' : 'Sign in at the provider'}
        </button>
      </form>
      <Problem message={elsewhere ?? start.problem} />
      <Started start={start} draft={draft} />
    </Panel>
  );
}

/** What came of the button, until the form changes. */
function Started({ start: { value }, draft }: { start: Action<[Draft], Outcome>; draft: Draft }) {
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
