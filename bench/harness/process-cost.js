// CPU and memory of processes, from /proc: the kernel's figures, without help from the measured process. Linux only; null elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const MICROS_PER_TICK = 10_000; // USER_HZ is 100 on every Linux that Node runs on
const KIB_PER_MB = 1000 / 1.024;
const onLinux = existsSync('/proc/self/stat');

function statOf(pid) {
  try {
    // The name, in brackets, may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** CPU time that a process has used so far, all threads, user and system, in microseconds. */
export const cpuMicrosOf = (pid) => (onLinux ? (statOf(pid)?.ticks ?? 0) * MICROS_PER_TICK : null);

/** CPU time of a process and all its descendants, including those that have ended. */
export function familyCpuMicrosOf(pid) {
  if (!onLinux) return null;
  const ticks = familyOf(pid).map((member) => {
    const stat = statOf(member);
    return (stat?.ticks ?? 0) + (stat?.ended ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * MICROS_PER_TICK;
}

/** A process and all its descendants. */
export function familyOf(pid) {
  if (!onLinux) return [pid];
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: statOf(name)?.parent }));
  const family = [pid];
  for (const member of family) family.push(...processes.filter(({ parent }) => parent === member).map((child) => child.pid));
  return family;
}

/** Memory in MB: a page that several processes share counts once, in equal parts (PSS). */
export function memoryOf(pids) {
  if (!onLinux) return null;
  const kib = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(rollupOf(pid))?.[1] ?? 0));
  return kib.reduce((sum, each) => sum + each, 0) / KIB_PER_MB;
}

/** Empty for a process that has ended meanwhile: sessions of PostgreSQL come and go. */
function rollupOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  }
}
