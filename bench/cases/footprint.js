import { setTimeout as delay } from 'node:timers/promises';
import { familyOf, memoryOf } from '../harness/process-cost.js';
import { median } from '../harness/rounds.js';
import { startServer, temporaryFolder } from '../harness/server.js';

const alone = (value) => ({ ours: { value, cpu: null }, reference: null, verdict: value, range: null });

/** Starts a server several times on a used data folder; the last one idles for a while before its memory is measured. */
async function weigh({ plan, note }) {
  const { dataDir, remove } = temporaryFolder();
  try {
    const first = await startServer({ dataDir });
    note(`cold start, with initdb, migrations and the demo: ${(first.startMs / 1000).toFixed(2)} s`);
    await first.stop();
    const starts = [];
    let memory = null;
    for (let start = 1; start <= plan.starts; start++) {
      const server = await startServer({ dataDir });
      starts.push(server.startMs);
      if (start === plan.starts) memory = await idleMemoryOf(server, { plan, note });
      await server.stop();
    }
    return { memory: alone(memory), start: alone(median(starts) / 1000) };
  } finally {
    remove();
  }
}

/** Memory of the server and its PostgreSQL, in MB; null when it cannot be measured. */
async function idleMemoryOf(server, { plan, note }) {
  await delay(plan.idleMs);
  const all = memoryOf(familyOf(server.pid));
  const own = memoryOf([server.pid]);
  if (all !== null) note(`idle memory: ${own.toFixed(0)} MB of it are Node, ${(all - own).toFixed(0)} MB PostgreSQL`);
  return all;
}

let weighed;
const once = (context) => (weighed ??= weigh(context));

/** Two result rows of one measurement. */
export const idleMemory = {
  name: 'idle-memory',
  title: 'idle memory with database (PSS)',
  unit: 'MB',
  target: { below: 250 },
  run: async (context) => (await once(context)).memory,
};

export const warmStart = {
  name: 'warm-start',
  title: 'warm start, from the command to the first request it would take',
  unit: 's',
  target: { below: 3 },
  run: async (context) => (await once(context)).start,
};
