import { useAction } from '../connection/useAction.ts';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Text } from '../parts/Text.tsx';
import { useStudio } from '../useStudio.ts';

interface WouldAskProps {
  /** Of the login. */
  id: string;
  requests: readonly string[];
  /** Called when they are answered. */
  onAsked?: () => void;
}

/** Requests to real systems wait for a click: a handler would send them again at every change of a file. */
export function WouldAsk({ id, requests, onAsked = () => {} }: WouldAskProps) {
  const { request } = useStudio();
  const ask = useAction(async () => {
    await request(`/api/logins/${encodeURIComponent(id)}/ask`, { isPost: true });
    onAsked();
  });
  return (
    <Panel title="The handler asks other systems" kind="is-stopped">
      <ul class="files">
        {requests.map((one) => (
          <li key={one}>
            <code>
              <Text text={one} />
            </code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" disabled={ask.isRunning} onClick={ask.run}>
          {ask.isRunning ? 'Asking …' : 'Send these requests'}
        </button>
        <span class="note">Once: later answers use what came back.</span>
      </p>
      <Problem message={ask.problem} />
    </Panel>
  );
}
