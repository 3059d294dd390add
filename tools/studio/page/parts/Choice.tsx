import { useId } from 'preact/hooks';

export interface Option<T extends string> {
  value: T;
  title: string;
  about?: string;
}

interface ChoiceProps<T extends string> {
  legend: string;
  options: readonly Option<T>[];
  value: T;
  onValue: (value: T) => void;
}

/** One of a few, all in sight. */
export function Choice<T extends string>({ legend, options, value, onValue }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span>
            {option.title} {option.about && <small>{option.about}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
