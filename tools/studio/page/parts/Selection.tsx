import { useId } from 'preact/hooks';

interface SelectionProps {
  label: string;
  /** Shown where nothing is chosen. */
  none: string;
  values: readonly string[];
  value: string;
  onValue: (value: string) => void;
}

/** One of several names, or none: then the value is empty. */
export function Selection({ label, none, values, value, onValue }: SelectionProps) {
  const id = useId();
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="">{none}</option>
        {values.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
