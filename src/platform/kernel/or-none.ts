/** What `work` returns; undefined if it throws. For libraries that throw at what a person, a file or another program has written. */
export function orNone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
