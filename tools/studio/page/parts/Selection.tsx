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
  return (
    <label class="entry">
      {label}
      <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="">{none}</option>
        {values.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
