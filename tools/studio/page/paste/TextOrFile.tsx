import { useId, useState } from 'preact/hooks';
import { Text } from '../parts/Text.tsx';
import { MAX_BODY_BYTES, sizeText } from './size.ts';

interface TextOrFileProps {
  label: string;
  hint: string;
  text: string;
  onText: (text: string) => void;
  isLarge?: boolean;
}

interface Chosen {
  name: string;
  size: number;
}

/** In characters. A browser is slow with a longer text in a field. */
const MAX_SHOWN = 100_000;

/** A text that is pasted, or a file that is dropped or chosen. The text of a file is not shown: it may have megabytes. */
export function TextOrFile({ label, hint, text, onText, isLarge = false }: TextOrFileProps) {
  const id = useId();
  const [file, setFile] = useState(() => longText(text));
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const clear = () => {
    setFile(null);
    onText('');
  };
  const take = async (given: File | undefined) => {
    if (!given) return;
    setProblem(given.size > MAX_BODY_BYTES ? tooLarge(given) : null);
    if (given.size > MAX_BODY_BYTES) return;
    onText(await given.text());
    setFile({ name: given.name, size: given.size });
  };
  return (
    <fieldset
      class={isOver ? 'text-or-file is-over' : 'text-or-file'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <legend>
        <label for={id}>{label}</label>
      </legend>
      {file ? (
        <p class="file" id={id}>
          <Text text={file.name} /> <small>{sizeText(file.size)}</small>{' '}
          <button type="button" onClick={clear}>
            Remove
          </button>
        </p>
      ) : (
        <textarea
          id={id}
          rows={isLarge ? 10 : 3}
          aria-describedby={`${id}-hint`}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
      <p class="hint" id={`${id}-hint`}>
        {hint} <small>{sizeText(MAX_BODY_BYTES)} at most.</small>{' '}
        <FileButton label={`Choose a file: ${label}`} onFile={take} />
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** A text from before that is too long for the field. */
function longText(text: string): Chosen | null {
  return text.length > MAX_SHOWN ? { name: 'The text from before', size: new Blob([text]).size } : null;
}

function FileButton({ label, onFile }: { label: string; onFile: (file: File | undefined) => void }) {
  return (
    <input
      type="file"
      aria-label={label}
      onChange={({ currentTarget }) => {
        onFile(currentTarget.files?.[0]);
        // The same file can be chosen again.
        currentTarget.value = '';
      }}
    />
  );
}

function tooLarge({ name, size }: File): string {
  return `${name} has ${sizeText(size)}, and the studio takes ${sizeText(MAX_BODY_BYTES)}. Export only the login.`;
}
