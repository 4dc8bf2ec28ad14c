import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { demoPerson } from '../support/demo-person.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';
import { ServerProcess } from '../support/server-process.js';
import type { WalletClient } from '../support/wallet-client.js';

const HISTORY = `{ me { defaultAccount { transactions(first: 20) { edges { node { memo direction status settlementAmount } } } } } }`;

interface Row {
  readonly memo: string;
  readonly direction: string;
  readonly status: string;
  readonly settlementAmount: number;
}

/** How the outside world treats each payment that is in flight when the server is killed, and the status that it must end with. */
const PAYMENTS = [
  { memo: 'arrives later', sats: 1_000, faults: 'delayMs=8000', becomes: 'SUCCESS' },
  { memo: 'fails later', sats: 2_000, faults: 'delayMs=8000,fail=no_route', becomes: 'FAILURE' },
  { memo: 'is let go by hand', sats: 3_000, faults: 'hold', becomes: 'SUCCESS' },
] as const;

describe('kill -9 during payments', () => {
  let server: ServerProcess;
  let alice: WalletClient;

  beforeAll(async () => {
    server = await ServerProcess.start({});
    alice = demoPerson(server, 'alice');
  });
  afterAll(() => server?.close());

  async function sent(): Promise<Map<string, Row>> {
    const { me } = await dataOf(server.url, HISTORY, {}, alice.as('read'));
    const rows = (me.defaultAccount.transactions.edges as { node: Row }[]).map(({ node }) => node);
    return new Map(rows.filter(({ direction }) => direction === 'SEND').map((row) => [row.memo, row]));
  }
  /** The payments that the simulated node has received: a payment is PENDING before that, and one that is killed then is never sent. */
  async function asked(): Promise<number> {
    const node = new pg.Client({ ...(await EmbeddedPostgres.findRunning(server.dataDir)) });
    await node.connect();
    try {
      return (await node.query(`SELECT FROM simulator.payment WHERE payer = 'ours'`)).rowCount ?? 0;
    } finally {
      await node.end();
    }
  }
  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries([...(await sent())].map(([memo, { status }]) => [memo, status]));

  it('ends each payment after the next start, with a clean ledger audit', async () => {
    const before = await alice.sats();
    const invoices = PAYMENTS.map(({ memo, sats, faults }) =>
      server.sluice('simulator', 'invoice', '--sats', String(sats), '--memo', memo, '--faults', faults),
    );
    const calls = (await Promise.all(invoices)).map((invoice, index) => alice.pay(invoice, PAYMENTS[index]?.memo));
    const answers = Promise.allSettled(calls);
    await eventually(async () => Object.values(await statuses()).filter((status) => status === 'PENDING').length === PAYMENTS.length);
    await eventually(async () => (await asked()) === PAYMENTS.length);
    expect((await server.end('SIGKILL')).signal).toBe('SIGKILL');
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);

    await server.start();
    expect(await alice.sats()).toBeLessThanOrEqual(before - 1_000 - 3_000);
    const held = /in_flight 3000000 msat.* ([0-9a-f]{64})/.exec(await server.sluice('simulator', 'payments'))?.[1] ?? '';
    await server.sluice('simulator', 'release', held);
    const expected = Object.fromEntries(PAYMENTS.map(({ memo, becomes }) => [memo, becomes]));
    await eventually(async () => isDeepStrictEqual(await statuses(), expected)).catch(() => undefined);
    expect(await statuses()).toEqual(expected);

    const spent = [...(await sent()).values()]
      .filter(({ status }) => status === 'SUCCESS')
      .reduce((sum, row) => sum + row.settlementAmount, 0);
    expect(await alice.sats()).toBe(before + spent);
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });
});
