/** Makes a value when it is first asked for, and keeps it. */
export function once<TValue>(make: () => TValue): () => TValue {
  let value: TValue | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
