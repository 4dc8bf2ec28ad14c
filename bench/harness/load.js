// Callers that ask again as soon as they are answered.
import { cpuMicrosOf, familyCpuMicrosOf } from './process-cost.js';

/**
 * The CPU that a stretch of time cost: microseconds of `pid`, and of the PostgreSQL whose first process is `databasePid`.
 * @returns a function that ends it and answers both, divided by a number of operations; null for what is not known
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
 *   one operation, and answers `false` when there is nothing left to do
 * @returns operations a second, and what `countCpu` says of one
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
