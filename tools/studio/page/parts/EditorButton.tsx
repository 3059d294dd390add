import type { Opened } from '../../api.ts';
import { useAction } from '../connection/useAction.ts';
import { loginPath } from '../route.ts';
import { useStudio } from '../useStudio.ts';

interface EditorButtonProps {
  /** Of the login. */
  id: string;
  what: 'event' | 'handler' | 'failure';
  file: string;
  label: string;
}

/** Opens a file in the editor of the machine on which the studio runs. */
export function EditorButton({ id, what, file, label }: EditorButtonProps) {
  const { request } = useStudio();
  const open = useAction(() =>
    request<Opened>(loginPath(id, { action: `/editor/${what}` }), { isPost: true }),
  );
  return (
    <>
      <button type="button" title={file} disabled={open.isRunning} onClick={open.run}>
        {label}
      </button>
      {open.value !== null && (
        <span class="note" role="status">
          {open.value.opened}
        </span>
      )}
      {open.problem !== null && (
        <span class="problem" role="alert">
          {open.problem}
        </span>
      )}
    </>
  );
}
