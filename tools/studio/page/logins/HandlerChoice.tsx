import type { LoginRow } from '../../api.ts';
import { hrefOf } from '../route.ts';
import { useRoute } from '../useRoute.ts';
import { useStudio } from '../useStudio.ts';
import { handlerWord } from '../words.ts';

const DEFAULT = 'default';

/** Answers this login by another handler of the project; its address keeps the choice, and the list does not. */
export function HandlerChoice({ login: { id, functionName, handler } }: { login: LoginRow }) {
  const { project } = useStudio();
  const route = useRoute();
  const chosen = route.view === 'logins' ? (route.handler ?? '') : '';
  const fn = project.functions.find(({ name }) => name === functionName);
  const others = [DEFAULT, ...(fn?.handlers ?? [])].filter((other) => other !== fn?.handler);
  const choose = (other: string) => {
    location.hash = hrefOf({ view: 'logins', id, ...(other !== '' && { handler: other }) });
  };
  return (
    <p class="handler-choice">
      <label>
        Answered by{' '}
        <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">
            {chosen === '' ? `${handlerWord(handler)}, in force` : 'the handler in force'}
          </option>
          {others.map((other) => (
            <option key={other} value={other}>
              {other}
            </option>
          ))}
        </select>
      </label>
      {chosen !== '' && (
        <>
          {' '}
          which is not in force: <a href={hrefOf({ view: 'logins', id })}>go back</a>
        </>
      )}
    </p>
  );
}
