import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApp } from '../../src/testing/index.js';
import { PostgresLab } from '../support/postgres-lab.js';

it('Sluice refuses a PostgreSQL server with prepared transactions at start, in one sentence', async () => {
  const lab = new PostgresLab();
  try {
    const dataDir = lab.folder();
    await (await lab.start({ dataDir, durable: false })).stop();
    appendFileSync(join(dataDir, 'postgres/cluster/postgresql.conf'), '\nmax_prepared_transactions = 5\n');
    const { connection } = await lab.start({ dataDir, durable: false });
    await expect(createTestApp({ connection: { ...connection } })).rejects.toThrow(
      'Set max_prepared_transactions = 0 and restart the server',
    );
  } finally {
    await lab.close();
  }
});
