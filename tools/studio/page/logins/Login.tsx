import { useMemo } from 'preact/hooks';
import type { LoginDetail, LoginRow } from '../../api.ts';
import { type Loaded, useLoaded } from '../connection/useLoaded.ts';
import { Differences } from '../parts/Differences.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Shape } from '../parts/Shape.tsx';
import { LongText } from '../parts/Text.tsx';
import { hrefOf, loginPath } from '../route.ts';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { titleOf, toneOf } from '../words.ts';
import { Decision } from './Decision.tsx';
import { Explained } from './Explained.tsx';
import { Facts } from './Facts.tsx';
import { Failure } from './Failure.tsx';
import { Findings } from './Findings.tsx';
import { HandlerChoice } from './HandlerChoice.tsx';
import { decisionMark } from './marks.ts';
import { Steps } from './Steps.tsx';
import { useMarking } from './useMarking.ts';
import { Heard, WouldAsk } from './WouldAsk.tsx';

interface LoginProps {
  id: string;
  /** Of the list, which is there at once; null for a login that is not in it. */
  row: LoginRow | null;
  /** What answers it in place of the handler in force; undefined for that. */
  handler: string | undefined;
}

/** One login: who got in or not, why, and what it was made of. */
export function Login({ id, row, handler }: LoginProps) {
  const { request, version } = useStudio();
  const detail = useLoaded(
    (signal) => request<LoginDetail>(loginPath(id), { signal }),
    [id, version, handler],
  );
  usePageTitle(row ? titleOf(row) : 'Login');
  const shown = handler === undefined ? (row ?? detail.value) : detail.value;
  return (
    <article class="login" aria-busy={detail.isLoading}>
      {shown && <Headline row={shown} />}
      <Body detail={detail} isKnown={row !== null} />
    </article>
  );
}

function Headline({ row }: { row: LoginRow }) {
  const tone = toneOf(row);
  return (
    <h1 class={`headline is-${tone}`}>
      <Shape tone={tone} />
      <span>
        <LongText text={row.sentence} />
      </span>
    </h1>
  );
}

function Body({ detail: { value, problem }, isKnown }: { detail: Loaded<LoginDetail>; isKnown: boolean }) {
  if (problem !== null) return <NotShown problem={problem} isKnown={isKnown} />;
  if (value === null) return <p class="waiting">Answering …</p>;
  return <Answered login={value} />;
}

function Answered({ login }: { login: LoginDetail }) {
  const { id, explanation, card, changes, differences, groupNames, verdict } = login;
  const { findings, failure, printed } = login;
  const marks = useMemo(() => {
    const places = card.flatMap(({ at }) => (at === null ? [] : [decisionMark(at)]));
    return [...explanation.marks, ...places];
  }, [login]);
  const marking = useMarking(marks);
  return (
    <>
      <HandlerChoice login={login} />
      {failure && <Failure id={id} failure={failure} />}
      <Decision card={card} tone={toneOf(login)} marking={marking} />
      {login.wouldAsk.length > 0 && <WouldAsk login={login} />}
      {changes.length > 0 && (
        <Panel title="The last change of a file changed this response" kind="is-changed">
          <Differences
            differences={changes}
            before="Before"
            after="Now"
            label="What changed"
            names={groupNames}
          />
        </Panel>
      )}
      {verdict === 'differs' && (
        <Panel title="The response is not the expected one" kind="is-stopped">
          <Differences
            differences={differences}
            before="Expected"
            after="Now"
            label="What differs"
            names={groupNames}
          />
        </Panel>
      )}
      <Steps steps={explanation.steps} />
      {findings.length > 0 && (
        <Panel title="Findings">
          <Findings findings={findings} />
        </Panel>
      )}
      {printed.length > 0 && (
        <Panel title="The handler printed">
          <pre class="printed">
            {printed.map((line, index) => (
              <div key={index}>
                <LongText text={line} />
              </div>
            ))}
          </pre>
        </Panel>
      )}
      {login.heard.length > 0 && <Heard login={login} />}
      <Facts login={login} />
      <Explained login={login} marking={marking} />
    </>
  );
}

function NotShown({ problem, isKnown }: { problem: string; isKnown: boolean }) {
  return (
    <>
      {!isKnown && <h1>This login is not in the list</h1>}
      <Problem message={problem} />
      {!isKnown && (
        <p>
          Logins that are not stored last until <code>npm start</code> ends.{' '}
          <a href={hrefOf({ view: 'logins', id: null })}>See those that are there</a>
        </p>
      )}
    </>
  );
}
