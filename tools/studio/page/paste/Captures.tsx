import { useEffect, useRef } from 'preact/hooks';
import { counted } from '../../../shared/readable.ts';
import type { Pasted } from '../../api.ts';
import { Findings } from '../logins/Findings.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';

/** What was found in a paste. */
export function Captures({ pasted: { captures, problem } }: { pasted: Pasted }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [captures]);
  return (
    <section class="captures" aria-label="Captured logins">
      <h2 tabIndex={-1} ref={heading}>
        {problem === null ? `${counted(captures.length, 'capture')} found` : 'No capture found'}
      </h2>
      {problem !== null && (
        <p class="problem">
          <Text text={problem} />
        </p>
      )}
      {captures.map((capture, index) => (
        <Capture key={index} capture={capture} />
      ))}
    </section>
  );
}

function Capture({ capture: { id, kind, where, findings } }: { capture: Pasted['captures'][number] }) {
  return (
    <article class="panel">
      <header>
        <h3>
          <Text text={kind} />
        </h3>
        {where !== '' && (
          <small>
            <Text text={where} />
          </small>
        )}
      </header>
      {findings.length > 0 ? (
        <Findings findings={findings} />
      ) : (
        <p class="empty">Nothing is wrong with it.</p>
      )}
      {id === null ? (
        <p class="empty">No event can be made of it, for the reasons above.</p>
      ) : (
        <p>
          <a class="button main" href={hrefOf({ view: 'logins', id })}>
            See the response
          </a>
        </p>
      )}
    </article>
  );
}
