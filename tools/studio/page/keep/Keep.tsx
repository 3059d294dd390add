import { useState } from 'preact/hooks';
import type { Keep as KeepBody, KeepPlan, KeptSample, PlacedText, ProposedSample } from '../../api.ts';
import { useAction } from '../connection/useAction.ts';
import { useLoaded } from '../connection/useLoaded.ts';
import { WouldAsk } from '../logins/WouldAsk.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { Kept } from './Kept.tsx';
import { Plan } from './Plan.tsx';

/** Makes a sample of a login, without the person. */
export function Keep({ id }: { id: string }) {
  const { request, logins } = useStudio();
  const row = logins.find((login) => login.id === id);
  const proposed = useLoaded(
    (signal) => request<ProposedSample>(`/api/logins/${encodeURIComponent(id)}/keep`, { signal }),
    [id],
  );
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? proposed.value?.name ?? '';
  const [ticked, setTicked] = useState<PlacedText[]>([]);
  const plan = useAction((body: KeepBody) =>
    request<KeepPlan>(`/api/logins/${encodeURIComponent(id)}/keep`, { body }),
  );
  const confirm = useAction((planId: string) =>
    request<KeptSample>(`/api/keeps/${encodeURIComponent(planId)}`, { isPost: true }),
  );
  usePageTitle('Keep as a sample');
  if (confirm.value) return <Kept {...confirm.value} files={plan.value?.files ?? []} />;
  return (
    <>
      <h1>Keep as a sample, without the person</h1>
      <p class="lead">
        <a href={hrefOf({ view: 'logins', id })}>
          <Text text={row?.origin === 'sample' ? row.name : 'The login'} />
        </a>{' '}
        is written to the project with its expected response. A stand-in replaces every text of it, except
        those that you see in a list before anything is written.
      </p>
      <form
        class="keep"
        onSubmit={(event) => {
          event.preventDefault();
          void plan.run({ name, ticked });
        }}
      >
        <label for="name">Name of the sample</label>
        <input
          id="name"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="e.g. keycloak-two-groups"
          value={name}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" disabled={name.trim() === '' || plan.isRunning}>
          {plan.isRunning ? 'Trying …' : 'Show what would be written'}
        </button>
        <Problem message={plan.problem} />
      </form>
      {plan.value && (
        <Plan
          key={plan.value.id}
          plan={plan.value}
          isWriting={confirm.isRunning}
          onConfirm={confirm.run}
          ticked={ticked}
          onTick={setTicked}
          onReplan={() => void plan.run({ name, ticked })}
        >
          {plan.value.unanswered.length > 0 && (
            <WouldAsk
              login={{ id, wouldAsk: [...plan.value.unanswered] }}
              onAsked={() => void plan.run({ name, ticked })}
            />
          )}
        </Plan>
      )}
      <Problem message={confirm.problem} />
    </>
  );
}
