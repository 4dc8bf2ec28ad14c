// Processes that a benchmark starts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Ends the child when the benchmark ends, for any reason. */
export function endWithUs(child) {
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/**
 * Starts a reference, a script of `bench/reference/`, which sends one message when it is ready.
 * @param {string} name file name without extension
 * @param {object} data passed as JSON in its first argument
 * @returns its message as `ready`, its `pid`, and `stop()`
 */
export async function startReference(name, data) {
  const file = fileURLToPath(new URL(`../reference/${name}.js`, import.meta.url));
  const child = fork(file, [JSON.stringify(data)], { env: { ...process.env, NODE_ENV: 'production' } });
  endWithUs(child);
  const ended = once(child, 'exit');
  const outcome = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!outcome) throw new Error(`The reference ${name} ended before it was ready`);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ready: outcome[0], pid: child.pid, stop };
}
