import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsFor } from '../../src/app/serve.js';
import { createTestApp } from '../../src/testing/index.js';
import { PostgresLab } from '../support/postgres-lab.js';

it('Sluice refuses a PostgreSQL server with prepared transactions at start, in one sentence', async () => {
  const lab = new PostgresLab();
  try {
    const dataDir = lab.folder();
    await (await lab.start({ dataDir, durable: false })).stop();
    appendFileSync(join(dataDir, 'postgres/cluster/postgresql.conf'), '\nmax_prepared_transactions = 5\n');
    const { connection } = await lab.start({ dataDir, durable: false });
    const refusal = await createTestApp({ connection: { ...connection } }).then(() => '', wordsFor);
    expect(refusal).toMatch(/^The configuration has a problem:\n {2}- The server allows prepared transactions .* restart the server$/);
  } finally {
    await lab.close();
  }
});
