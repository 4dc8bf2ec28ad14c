// npm run bench: measures Sluice, each case beside a reference in the same run. bench/results.md keeps the latest full run.
import '../scripts/node-version.js';

const { loadavg } = await import('node:os');
const { fileURLToPath } = await import('node:url');
const { build } = await import('../scripts/build.js');
const { ensureInstalled } = await import('../scripts/install.js');

ensureInstalled({ dev: true });
ensureInstalled({ root: fileURLToPath(new URL('.', import.meta.url)), dev: true });
await build();

// Imported only now, because these need the packages and the build.
const { CASES } = await import('./cases/index.js');
const { createFloor } = await import('./harness/floor.js');
const { planOf } = await import('./harness/plan.js');
const { costLines, lineOf, writeResults } = await import('./harness/report.js');
const { startServer, temporaryFolder } = await import('./harness/server.js');
const { auditOf, connect, connectionOf, populate, readWhole } = await import('./harness/fixture.js');

/** One server with users, for all cases that put load on it. */
async function openStage(plan) {
  const { dataDir, remove } = temporaryFolder();
  const server = await startServer({ dataDir, profileDir: plan.profileDir });
  const connection = await connectionOf(dataDir);
  const client = await connect(connection);
  await createFloor(client);
  const fixture = { people: await populate(client), invoices: [] };
  const close = async () => {
    const findings = await auditOf(client);
    await client.end();
    await server.stop();
    remove();
    if (findings > 0) throw new Error(`Ledger invariants violated: ${findings} findings`);
  };
  return { dataDir, server, connection, client, fixture, close };
}

async function main() {
  const plan = planOf(
    process.argv.slice(2),
    CASES.map(({ name }) => name),
  );
  const load = loadavg()[0].toFixed(2);
  const notes = [];
  const rows = [];
  const stage = await openStage(plan);
  try {
    for (const benchmark of CASES.filter(({ name }) => plan.only.includes(name))) {
      const result = await benchmark.run({ ...stage, plan, note: (text) => notes.push(text) });
      rows.push({ benchmark, result });
      console.log(lineOf(rows.at(-1)));
    }
    notes.push(await readWhole(stage.client));
  } finally {
    await stage.close();
  }
  notes.push('the ledger’s audit found nothing after the run');
  for (const line of costLines(rows)) console.log(line);
  for (const note of notes) console.log(`note: ${note}`);
  if (plan.complete) await writeResults({ rows, notes, command: 'npm run bench', plan, load });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    console.error(`Stopped by ${signal}.`);
    process.exit(1);
  });
}

await main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
