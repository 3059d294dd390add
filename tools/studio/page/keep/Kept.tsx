import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';

const COMMAND = 'npm run check';

/** @param id of the new sample in the list */
export function Kept({ id, files }: { id: string; files: readonly string[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="kept">
      <h1 tabIndex={-1} ref={heading}>
        The sample is written
      </h1>
      <ul class="files">
        {files.map((file) => (
          <li key={file}>
            <code>
              <Text text={file} />
            </code>
          </li>
        ))}
      </ul>
      <p>
        From now on <code>{COMMAND}</code> answers it too. Run it before you commit.{' '}
        <CopyButton text={COMMAND} label="Copy the command" />
      </p>
      <p>
        <a class="button main" href={hrefOf({ view: 'logins', id })}>
          See the sample
        </a>
      </p>
    </div>
  );
}
