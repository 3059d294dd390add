export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/** The smallest value that so many percent of the values do not exceed. */
export function percentile(values: Float64Array, percent: number): number {
  const sorted = values.toSorted();
  return at(sorted, Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1));
}

function at(values: readonly number[] | Float64Array, index: number): number {
  return values[index] ?? Number.NaN;
}
