import type { LoginDetail } from '../../api.ts';
import { EditorButton } from '../parts/EditorButton.tsx';
import { Panel } from '../parts/Panel.tsx';
import { LongText } from '../parts/Text.tsx';

/** Why the function failed, with the lines of source around the one that threw. */
export function Failure({
  id,
  failure: { text, place },
}: {
  id: string;
  failure: NonNullable<LoginDetail['failure']>;
}) {
  return (
    <Panel title="The function failed" kind="is-bad">
      <p class="failure">
        <LongText text={text} />
      </p>
      {place && (
        <>
          <p>
            <code>
              {place.file}:{place.line}:{place.column}
            </code>{' '}
            <EditorButton id={id} what="failure" file={place.file} label="Open this line" />
          </p>
          <pre class="source">
            {place.source.map((line) => (
              <span key={line.number} class={line.number === place.line ? 'is-thrower' : ''}>
                {`${line.number === place.line ? '>' : ' '} ${String(line.number).padStart(4)}  ${line.text}\n`}
              </span>
            ))}
          </pre>
        </>
      )}
    </Panel>
  );
}
