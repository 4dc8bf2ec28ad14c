/**
 * Counts milliseconds from the call on, by the clock that shows more: the monotonic clock stops while the machine sleeps, though its
 * database may run elsewhere, and the wall clock may be set back.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
