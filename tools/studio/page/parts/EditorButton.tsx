import { useAction } from '../connection/useAction.ts';
import { useStudio } from '../studio.ts';

/** @param path of the server that opens the file */
export function EditorButton({ path, file, label }: { path: string; file: string; label: string }) {
  const { request } = useStudio();
  const open = useAction(() => request(path, { isPost: true }));
  return (
    <>
      <button type="button" title={file} disabled={open.isRunning} onClick={open.run}>
        {label}
      </button>
      {open.problem !== null && (
        <span class="problem" role="alert">
          {open.problem}
        </span>
      )}
    </>
  );
}

export function loginEditor(id: string): string {
  return `/api/logins/${encodeURIComponent(id)}/editor`;
}

export function handlerEditor(functionName: string): string {
  return `/api/functions/${encodeURIComponent(functionName)}/editor`;
}
