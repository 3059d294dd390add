import type { LoginDetail } from '../../api.ts';
import { useAction } from '../connection/useAction.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Text } from '../parts/Text.tsx';
import { loginPath } from '../route.ts';
import { useStudio } from '../useStudio.ts';

interface WouldAskProps {
  login: Pick<LoginDetail, 'id' | 'wouldAsk'>;
  /** Called when they are answered. */
  onAsked?: () => void;
}

/** Requests to real systems wait for a click: a handler would send them again at every change of a file. */
export function WouldAsk({ login: { id, wouldAsk }, onAsked = () => {} }: WouldAskProps) {
  const { request } = useStudio();
  const ask = useAction(async () => {
    await request(loginPath(id, { action: '/ask' }), { isPost: true });
    onAsked();
  });
  return (
    <Panel title="The handler asks other systems" kind="is-stopped">
      <Requests requests={wouldAsk} />
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

/** What was sent once, and how its responses are kept for longer. */
export function Heard({ login: { heard, recording } }: { login: LoginDetail }) {
  return (
    <Panel title="Other systems answered">
      <Requests requests={heard} />
      <p class="note">
        These responses stay in memory until <code>npm start</code> ends, and answer this login from now on.
      </p>
      {recording !== null && (
        <p class="actions">
          <CopyButton text={recording} label="Copy the command that records them" />
        </p>
      )}
    </Panel>
  );
}

function Requests({ requests }: { requests: readonly string[] }) {
  return (
    <ul class="files">
      {requests.map((one) => (
        <li key={one}>
          <code>
            <Text text={one} />
          </code>
        </li>
      ))}
    </ul>
  );
}
