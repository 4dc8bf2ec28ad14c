// Callers that ask again as soon as they are answered.
import { cpuMicrosOf } from './process-cost.js';

/**
 * @param {{ callers: number, ms: number, pid?: number, work: (caller: number) => Promise<unknown> }} load `work` does one operation, and
 *   answers `false` when there is nothing left to do; `pid` is the process whose CPU time is counted
 * @returns operations a second, and CPU microseconds each of `pid`
 */
export async function runLoad({ callers, ms, pid, work }) {
  const [began, cpuBefore] = [performance.now(), pid && cpuMicrosOf(pid)];
  let done = 0;
  const call = async (_, caller) => {
    while (performance.now() - began < ms) {
      if ((await work(caller)) === false) return;
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const seconds = (performance.now() - began) / 1000;
  const cpu = pid && cpuBefore !== null ? (cpuMicrosOf(pid) - cpuBefore) / done : null;
  return { value: done / seconds, cpu };
}
