import type { Registration } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { useStudio } from '../useStudio.ts';
import { type Draft, isComplete } from './draft.ts';
import { OpenIdFields } from './OpenIdFields.tsx';
import { returnProblem } from './opening.ts';
import { SamlFields } from './SamlFields.tsx';
import { Started } from './Started.tsx';
import type { OnDraft } from './useDraft.ts';
import { useStart } from './useStart.ts';

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
  const isDisabled = !isComplete(draft) || elsewhere !== null || start.isRunning;
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
        <p class="actions">
          <button type="submit" class="main" disabled={isDisabled}>
            {start.isRunning ? 'Asking the provider …' : 'Sign in at the provider'}
          </button>
          <button type="button" disabled={isDisabled} onClick={() => start.run(draft, true)}>
            Sign in as somebody else
          </button>
        </p>
        <p class="note">
          Keycloak asks the person who is signed in for the password again. To sign in as somebody else there,
          sign out first, or open this page in a private window.
        </p>
      </form>
      <Problem message={elsewhere ?? start.problem} />
      <Started value={start.value} draft={draft} />
    </Panel>
  );
}
