/**
 * Counts the milliseconds from now on, by whichever clock says more: the steady one stands still while the machine sleeps, though its
 * database may be awake elsewhere, and the other one may be set back.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
