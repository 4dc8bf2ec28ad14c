import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { OperatorCommand } from '../support/operator-command.js';
import { EAGER, Payouts } from '../support/payouts.js';

const UNKNOWN_PAYMENT = '00000000-0000-4000-8000-000000000000';
const BECAUSE = ['--because', 'a test'];

describe('sluice payout', () => {
  let app: TestApp;
  let fixture: Fixture;
  let payouts: Payouts;
  let sluice: OperatorCommand;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ env: { ACCOUNT_LIMITS: 'none' }, settings: EAGER });
    [fixture, payouts, sluice] = [new Fixture(app), new Payouts(app), new OperatorCommand(app)];
    await payouts.fund(150_000, 150_000, 150_000, 150_000, 150_000, 150_000);
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: 200_000 });
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('lists them by state, page by page', async () => {
    const ids = [
      await payouts.queued(alice, payouts.outside(), 20_000, 'SLOW'),
      await payouts.queued(alice, payouts.outside(), 21_000, 'SLOW'),
    ];
    const first = await sluice.json<{ id: string }[]>('payout', 'list', '--state', 'queued', '--limit', '1');
    expect(first).toMatchObject([{ id: ids[1], sats: '21000', speed: 'SLOW' }]);
    expect(await sluice.json('payout', 'list', '--state', 'queued', '--after', ids[1] as string)).toMatchObject([{ id: ids[0] }]);
    await expect(sluice.run('payout', 'list', '--state', 'lost')).rejects.toThrow('--state must be one of');
    for (const id of ids) await sluice.run('payout', 'cancel', id, ...BECAUSE);
  });

  it('cancels one that waits, whose money is free again; and no other one', async () => {
    const id = await payouts.queued(alice, payouts.outside(), 20_000, 'SLOW');
    expect(await alice.sats()).toBeLessThan(180_000);
    expect(await sluice.run('payout', 'cancel', id, ...BECAUSE)).toBe(`${id} cancelled`);
    expect(await alice.sats()).toBe(200_000);
    expect(await sluice.run('payout', 'cancel', id, ...BECAUSE)).toBe(`${id} cancelled`);
    await expect(sluice.run('payout', 'cancel', UNKNOWN_PAYMENT, ...BECAUSE)).rejects.toThrow(
      'No payment to a bitcoin address has this id',
    );
    expect(await sluice.run('payout', 'show', id)).toMatch(/state: cancelled[^]*payout cancel: a test/);
    const sent = await payouts.queued(alice, payouts.outside(), 20_000);
    await payouts.reaches('broadcast', sent);
    await expect(sluice.run('payout', 'cancel', sent, ...BECAUSE)).rejects.toThrow('It is in a transaction already');
    await payouts.chain.mine();
    await payouts.reaches('confirmed', sent);
    await expect(sluice.run('payout', 'cancel', sent, ...BECAUSE)).rejects.toThrow('It is in a block');
  });

  it('bumps one: the same payment, by another transaction, which costs its payer no more than was held', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    const [before] = await payouts.paidTo(address);
    const rule = '--rate must be a whole number of satoshis a vbyte, of at most nine digits';
    await expect(sluice.run('payout', 'bump', id, '--rate', '1000000000', ...BECAUSE)).rejects.toThrow(rule);
    await expect(sluice.run('payout', 'bump', id, '--rate', '20', ...BECAUSE)).rejects.toThrow('The fee must rise');
    await expect(sluice.run('payout', 'bump', id, '--rate', '1001', ...BECAUSE)).rejects.toThrow('above 1000 satoshis');
    await expect(sluice.run('payout', 'bump', id, '--rate', '1000', ...BECAUSE)).rejects.toThrow('too little change');
    const { txid, feeSats } = await sluice.json<{ txid: string; feeSats: string }>('payout', 'bump', id, '--rate', '100', ...BECAUSE);
    expect(txid).not.toBe(before?.txid);
    await payouts.reaches('broadcast', id);
    expect((await sluice.json<{ versions: object[] }>('payout', 'show', id)).versions).toHaveLength(2);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    const outputs = await payouts.paidTo(address);
    expect(outputs.filter(({ state }) => state === 'confirmed')).toMatchObject([{ txid, sats: 20_000n }]);
    expect(await payouts.feeOf(txid)).toBe(Number(feeSats));
    // 5,000 of service, and the miner's fee of 20 sat/vB and a quarter.
    expect(await alice.sats()).toBe(200_000 - 20_000 - 8_825);
    await expect(sluice.run('payout', 'bump', id, ...BECAUSE)).rejects.toThrow('No transaction of it is on its way');
  });

  it('a version that was bumped may be the one that a block has', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    const [first] = await payouts.paidTo(address);
    await sluice.run('payout', 'bump', id, '--rate', '40', ...BECAUSE);
    await payouts.reaches('broadcast', id);
    // The miner has not seen the second one. At once: a round that does not find it in the mempool sends it again, in the place of the first.
    await app.pool.query(`BEGIN; SELECT FROM simulated_chain.chain FOR UPDATE;
      UPDATE simulated_chain.transaction SET state = 'gone' WHERE txid IN (SELECT txid FROM payout_transaction) AND state = 'mempool';
      UPDATE simulated_chain.transaction SET state = 'mempool' WHERE txid = '${first?.txid}'; SELECT simulated_chain.mine(1); COMMIT`);
    await payouts.reaches('confirmed', id);
    expect(await sluice.json('payout', 'show', id)).toMatchObject({ payout: { txid: first?.txid } });
    expect((await payouts.paidTo(address)).filter(({ state }) => state === 'confirmed')).toHaveLength(1);
  });

  it('has an audit, which finds what the payouts and the ledger do not agree on', async () => {
    const [sent, waiting] = [
      await payouts.queued(alice, payouts.outside(), 20_000),
      await payouts.queued(alice, payouts.outside(), 20_000, 'SLOW'),
    ];
    await payouts.reaches('broadcast', sent);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', sent);
    const foundAfter = async (statement: string, id: string): Promise<unknown> => {
      const client = await app.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(statement, [id]);
        return (await client.query<{ what: string }>('SELECT what FROM payout_audit WHERE n <> 0')).rows.map(({ what }) => what);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    };
    expect(await foundAfter('SELECT $1::text', sent)).toEqual([]);
    expect(await foundAfter('UPDATE payout SET miner_sats = miner_sats + 1 WHERE id = $1', sent)).toEqual(['payouts_differ']);
    expect(await foundAfter(`UPDATE payout SET state = 'cancelled' WHERE id = $1`, waiting)).toEqual(['payouts_missing']);
    const removed = 'DELETE FROM payout_batch WHERE id = (SELECT batch_id FROM payout WHERE id = $1)';
    expect(await foundAfter(removed, sent)).toEqual(['payouts_unsent']);
    await sluice.run('payout', 'cancel', waiting, ...BECAUSE);
  });
});
