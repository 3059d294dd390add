import type { LoginRow } from '../../api.ts';
import { hrefOf } from '../route.ts';
import { useRoute } from '../useRoute.ts';
import { useStudio } from '../useStudio.ts';

const DEFAULT = 'default';

/** Answers this login by another handler of the project; its address keeps the choice, and the list does not. */
export function HandlerChoice({ login: { id, functionName } }: { login: LoginRow }) {
  const { project } = useStudio();
  const route = useRoute();
  const chosen = route.view === 'logins' ? (route.handler ?? '') : '';
  const fn = project.functions.find(({ name }) => name === functionName);
  const others = [DEFAULT, ...(fn?.handlers ?? [])].filter((handler) => handler !== fn?.handler);
  const choose = (handler: string) => {
    location.hash = hrefOf({ view: 'logins', id, ...(handler !== '' && { handler }) });
  };
  return (
    <span class="handler-choice">
      <select
        aria-label="Answer by another handler"
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">in force</option>
        {others.map((handler) => (
          <option key={handler} value={handler}>
            {handler}
          </option>
        ))}
      </select>
      {chosen !== '' && (
        <>
          {' '}
          not in force: <a href={hrefOf({ view: 'logins', id })}>go back</a>
        </>
      )}
    </span>
  );
}
