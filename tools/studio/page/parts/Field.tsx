import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: string;
  placeholder?: string;
  isRequired?: boolean;
  /** Shown as dots. */
  isSecret?: boolean;
}

/** A line of text with its label and what there is to say of it. */
export function Field({
  label,
  value,
  onText,
  hint = '',
  placeholder = '',
  isRequired = false,
  isSecret = false,
}: FieldProps) {
  const id = useId();
  const line = {
    id,
    autocomplete: 'off',
    spellcheck: false,
    required: isRequired,
    placeholder,
    'aria-describedby': hint === '' ? undefined : `${id}-hint`,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onText(currentTarget.value),
  };
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {isSecret ? <input type="password" {...line} /> : <input type="text" {...line} />}
      {hint !== '' && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}
