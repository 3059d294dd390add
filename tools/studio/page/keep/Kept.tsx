import { useEffect, useRef } from 'preact/hooks';
import type { KeptSample } from '../../api.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';

/** @param files what was written */
export function Kept({ id, command, files }: KeptSample & { files: readonly string[] }) {
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
        From now on <code>{command}</code> answers it too. Run it before you commit.{' '}
        <CopyButton text={command} label="Copy the command" />
      </p>
      <p>
        <a class="button main" href={hrefOf({ view: 'logins', id })}>
          See the sample
        </a>
      </p>
    </div>
  );
}
