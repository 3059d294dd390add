import { useEffect, useRef } from 'preact/hooks';
import type { SignInResult } from '../../api.ts';
import { useLoaded } from '../connection/useLoaded.ts';
import { Findings } from '../logins/Findings.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Shape } from '../parts/Shape.tsx';
import { LongText } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { PROTOCOLS, typeWord } from '../words.ts';
import { Claims } from './Claims.tsx';
import { isComplete } from './draft.ts';
import { Refusal } from './Refusal.tsx';
import { Started } from './Started.tsx';
import { useDraft } from './useDraft.ts';
import { useStart } from './useStart.ts';

const AGAIN = hrefOf({ view: 'sign-in', id: null });

/** What came of a sign-in: the provider led the tab back to it. */
export function SignedIn({ id }: { id: string }) {
  const { request } = useStudio();
  const path = `/api/sign-ins/${encodeURIComponent(id)}`;
  const { value, problem } = useLoaded((signal) => request<SignInResult>(path, { signal }), [path]);
  if (value) return <Result result={value} />;
  return problem === null ? <p class="waiting">Reading the login …</p> : <NotShown problem={problem} />;
}

function Result({ result: { protocol, login, refused, findings, claims } }: { result: SignInResult }) {
  return (
    <>
      <Heading title={`${refused ? 'The sign-in was refused' : 'You signed in'}: ${PROTOCOLS[protocol]}`} />
      {login !== null && <Answered id={login} />}
      {refused && <Refusal title="Why it was refused" {...refused} />}
      {refused && (
        <p>
          <a class="button main" href={AGAIN}>
            Change the form and try again
          </a>
        </p>
      )}
      {(login !== null || findings.length > 0) && (
        <Panel title="Findings">
          {findings.length > 0 ? (
            <Findings findings={findings} />
          ) : (
            <p class="empty">Nothing is wrong with this login.</p>
          )}
        </Panel>
      )}
      {claims.length > 0 && <Claims claims={claims} />}
    </>
  );
}

/** A screen reader begins here: the whole page is a new one. */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {title}
    </h1>
  );
}

/** How the handler in force answers the login, and where to go from here. */
function Answered({ id }: { id: string }) {
  const { logins } = useStudio();
  const row = logins.find((login) => login.id === id);
  if (!row) {
    return (
      <p>
        The login is no longer in the list. <a href={AGAIN}>Sign in again</a>
      </p>
    );
  }
  const { tone } = typeWord(row.type);
  return (
    <>
      <p class={`headline is-${tone}`}>
        <Shape tone={tone} />
        <span>
          <LongText text={row.sentence} />
        </span>
      </p>
      <div class="actions">
        <a class="button main" href={hrefOf({ view: 'logins', id })}>
          See the response
        </a>
        <a class="button" href={hrefOf({ view: 'keep', id })}>
          Keep as a sample
        </a>
        <a class="button" href={AGAIN}>
          Sign in again
        </a>
        <SomebodyElse />
      </div>
    </>
  );
}

/** A typed secret is gone with the page that it was typed in: then the form has the button. */
function SomebodyElse() {
  const [draft] = useDraft();
  const { request } = useStudio();
  const { run, isRunning, value, problem } = useStart(request);
  const title = 'Sign in as somebody else';
  if (!isComplete(draft)) {
    return (
      <a class="button" href={AGAIN}>
        {title}
      </a>
    );
  }
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => run(draft, true)}>
        {title}
      </button>
      <Problem message={problem} />
      <Started value={value} draft={draft} />
    </>
  );
}

function NotShown({ problem }: { problem: string }) {
  return (
    <>
      <Heading title="This sign-in cannot be shown" />
      <Problem message={problem} />
      <p>
        Sign-ins last until <code>npm start</code> ends. <a href={AGAIN}>Sign in again</a>
      </p>
    </>
  );
}
