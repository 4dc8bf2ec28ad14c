// Callers that send the next request as soon as they have the response.
import { cpuMicrosOf, familyCpuMicrosOf } from './process-cost.js';

/**
 * Measures CPU time: microseconds of `pid`, and of the PostgreSQL whose first process is `databasePid`.
 * @returns a function that ends the measurement and returns both per operation; null for a process that was not given or measured
 */
export function countCpu({ pid, databasePid }) {
  const look = () => [pid && cpuMicrosOf(pid), databasePid && familyCpuMicrosOf(databasePid)].map((micros) => micros ?? null);
  const before = look();
  return (operations) => {
    const [cpu, databaseCpu] = look().map((micros, index) => (micros === null ? null : (micros - before[index]) / operations));
    return { cpu, databaseCpu };
  };
}

/**
 * @param {{ callers: number, ms: number, pid?: number, databasePid?: number, work: (caller: number) => Promise<unknown> }} load `work` does
 *   one operation, and returns `false` when there is nothing left to do
 * @returns operations a second, and `countCpu`'s figures per operation
 */
export async function runLoad({ callers, ms, pid, databasePid, work }) {
  const began = performance.now();
  const cpuOf = countCpu({ pid, databasePid });
  let done = 0;
  const call = async (_, caller) => {
    while (performance.now() - began < ms) {
      if ((await work(caller)) === false) return;
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const seconds = (performance.now() - began) / 1000;
  return { value: done / seconds, ...cpuOf(done) };
}
