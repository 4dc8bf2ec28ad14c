/** The middle value, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/**
 * The indexes of the values that are at most so far away from the median of all. Of two that contradict each other, neither remains:
 * either may be wrong.
 */
export function agreeing(values: readonly number[], maxDeviationPercent: number): number[] {
  const median = medianOf(values);
  const most = (median * maxDeviationPercent) / 100;
  return values.flatMap((value, index) => (Math.abs(value - median) <= most ? [index] : []));
}
