import type { Step } from '../../../explain/loginSteps.ts';
import { STEP_STATES, STEPS } from '../words.ts';

const SIGNS: Readonly<Record<Step['state'], string>> = {
  passed: '✓',
  refused: '–',
  ended: '✕',
  'not reached': '·',
};

/** The path of the login, with where it ended. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="steps" aria-label="Path of the login">
      {steps.map(({ name, state, note }) => (
        <li key={name} class={`step is-${state.replace(' ', '-')}`}>
          <b>
            <span aria-hidden="true">{SIGNS[state]} </span>
            {STEPS[name]}
          </b>
          <span>{stepText(state, note)}</span>
        </li>
      ))}
    </ol>
  );
}

/** E.g. `ended here · token_expired`. */
function stepText(state: Step['state'], note: string): string {
  const word = STEP_STATES[state];
  return note === '' || note === word ? word : `${word} · ${note}`;
}
