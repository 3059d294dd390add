import { useAction } from '../connection/useAction.ts';
import { cut } from '../showing.ts';

/** In characters. */
const TITLE_LENGTH = 200;

/** @param label what is copied, e.g. `Copy the command` */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(text);
    return true;
  });
  return (
    <>
      <button type="button" title={cut(text, TITLE_LENGTH)} onClick={copy.run}>
        {label}
      </button>
      <span class="done" role="status">
        {copy.value && 'Copied'}
        {copy.problem !== null && 'The browser does not let the page copy'}
      </span>
    </>
  );
}
