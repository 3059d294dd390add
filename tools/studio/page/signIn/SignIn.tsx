import type { Registration } from '../../api.ts';
import { useLoaded } from '../connection/useLoaded.ts';
import { Choice, type Option } from '../parts/Choice.tsx';
import { Problem } from '../parts/Problem.tsx';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { PROTOCOLS } from '../words.ts';
import { type Draft, offered } from './draft.ts';
import { Register } from './Register.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useDraft } from './useDraft.ts';

const OPTIONS: readonly Option<Draft['protocol']>[] = [
  { value: 'openid', title: PROTOCOLS.openid },
  { value: 'saml', title: PROTOCOLS.saml },
];

/** A real login at one's own provider becomes an event. */
export function SignIn() {
  const { request } = useStudio();
  const { value, problem } = useLoaded((signal) => request<Registration>('/api/sign-in', { signal }), []);
  usePageTitle('Sign in');
  return (
    <>
      <h1>Sign in at your provider</h1>
      <p class="lead">
        Log in as you do for your service. The studio shows what the provider sends and how your handler
        responds. The login stays in the memory of this machine until <code>npm start</code> ends.
      </p>
      <Problem message={problem} />
      {value && <Steps registration={value} />}
    </>
  );
}

function Steps({ registration }: { registration: Registration }) {
  const [stored, onDraft] = useDraft();
  const draft = offered(stored, registration);
  return (
    <>
      <Choice
        legend="Protocol"
        options={OPTIONS.filter(({ value }) => registration.protocols.includes(value))}
        value={draft.protocol}
        onValue={(protocol) => onDraft({ protocol })}
      />
      <div class="sign-in-steps">
        <Register registration={registration} draft={draft} onDraft={onDraft} />
        <SignInForm key={draft.protocol} registration={registration} draft={draft} onDraft={onDraft} />
      </div>
    </>
  );
}
