import { randomUUID } from 'node:crypto';
import { reconcileCommands } from '../../src/operator/act/reconcile.command.js';
import type { Arguments } from '../../src/operator/command/index.js';
import { inputsOf } from '../../src/money/payment/payout/payout-transaction.js';
import { PayoutSender } from '../../src/money/payment/payout/payout-sender.js';
import { PayoutStore } from '../../src/money/payment/payout/payout.store.js';
import { PayoutSettings } from '../../src/money/payment/payout/payout.settings.js';
import { OnChainWallet, type OnChainBackend, type Outpoint } from '../../src/money/onchain/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { OperatorCommand } from '../support/operator-command.js';
import { EAGER, Payouts } from '../support/payouts.js';

/** Whatever happens on the way, exactly one transaction pays each payment, and the ledger says what has left the wallet. */
describe('payments to bitcoin addresses, where things go wrong', () => {
  let app: TestApp;
  let beside: TestApp;
  let fixture: Fixture;
  let payouts: Payouts;
  let alice: Person;
  let before: number;

  beforeAll(async () => {
    // No test waits for the pause between two batches.
    const speeds = { ...new PayoutSettings().speeds, FAST: { targetBlocks: 1, afterSeconds: 3_600, outputs: 1 } };
    const settings = { PayoutSettings: { ...EAGER['PayoutSettings'], openSeconds: 1, speeds } };
    const options = { env: { ACCOUNT_LIMITS: 'none' }, settings };
    app = await createTestApp(options);
    beside = await createTestApp({ ...options, beside: app });
    [fixture, payouts] = [new Fixture(app), new Payouts(app)];
    await payouts.fund(1_000_000, 1_000_000, 1_000_000);
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: 300_000 });
    before = await payouts.leftMsat();
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '1 hour'`);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    await beside.close();
    await app.close();
  });

  /** One transaction in a block pays it, and none else can. */
  const expectPaidOnce = async (address: string, sats: number): Promise<void> => {
    const paid = (await payouts.paidTo(address)).filter(({ state }) => state !== 'gone');
    expect(paid).toMatchObject([{ sats: BigInt(sats), state: 'confirmed' }]);
    const fee = await payouts.feeOf(paid[0]?.txid as string);
    expect((await payouts.leftMsat()) - before).toBe((sats + fee) * 1_000);
  };

  it.each<keyof OnChainBackend>(['feeRate', 'fund', 'finalize', 'publish', 'lookup', 'tip', 'releaseLease'])(
    'the answer of %s is lost',
    async (call) => {
      const address = payouts.outside();
      const id = await payouts.queued(alice, address, 20_000);
      await payouts.chain.loseAnswers(call, ...(call === 'releaseLease' ? (['fund'] as const) : []));
      await payouts.reaches('broadcast', id);
      await payouts.chain.mine();
      await payouts.reaches('confirmed', id);
      await expectPaidOnce(address, 20_000);
      await payouts.chain.loseAnswers();
    },
  );

  it.each(['payout_take', 'payout_sign', 'payout_publish', 'payout_confirm'])('%s fails, and then not', async (name) => {
    const address = payouts.outside();
    const { rows } = await app.pool.query<{ text: string }>(`SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = $1`, [
      name,
    ]);
    const text = rows[0]?.text as string;
    // Once: what is lost with it stays lost, a sequence does not roll back.
    await app.pool.query('DROP SEQUENCE IF EXISTS planted; CREATE SEQUENCE planted');
    const fault = `IF nextval('planted') = 1 THEN RAISE EXCEPTION 'planted' USING ERRCODE = '57014'; END IF;`;
    await app.pool.query(text.replace('BEGIN', `BEGIN ${fault}`));
    const id = await payouts.queued(alice, address, 20_000);
    const isReached = async (): Promise<boolean> => (await app.pool.query('SELECT FROM planted WHERE is_called')).rowCount === 1;
    if (name === 'payout_confirm') {
      await payouts.reaches('broadcast', id);
      await payouts.chain.mine();
    }
    await eventually(isReached);
    await app.pool.query(text);
    await eventually(async () => ['broadcast', 'confirmed'].includes((await payouts.state(id)) ?? ''));
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    await expectPaidOnce(address, 20_000);
  });

  it('a reorganisation takes its block: it is sent again, and costs nothing more', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    const sats = await alice.sats();
    await payouts.chain.reorganise(2);
    await payouts.reaches('broadcast', id);
    expect(await alice.sats()).toBe(sats);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    expect(await alice.sats()).toBe(sats);
    await expectPaidOnce(address, 20_000);
  });

  it('it leaves the mempool: it is sent again', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    const [output] = await payouts.paidTo(address);
    expect(await payouts.chain.drop(output?.txid as string)).toBe(true);
    await eventually(async () => (await payouts.paidTo(address))[0]?.state === 'mempool');
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    await expectPaidOnce(address, 20_000);
  });

  it('its coins stay leased until a block has it', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    await app.pool.query(`UPDATE simulated_chain.lease SET expires_at = now()`);
    await app.pool.query(`UPDATE payout_batch SET lease_until = now() + interval '1 minute' WHERE state = 'broadcast'`);
    const renewed = `SELECT FROM simulated_chain.lease WHERE expires_at > now() + interval '50 minutes'`;
    await eventually(async () => (await app.pool.query(renewed)).rowCount === 1);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    await expectPaidOnce(address, 20_000);
  });

  it('another program spends its coins: it is paid by another transaction, once that one has six confirmations', async () => {
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 20_000);
    await payouts.reaches('broadcast', id);
    const { rows } = await app.pool.query<{ psbt: string }>(
      'SELECT b.psbt FROM payout o JOIN payout_batch b ON b.id = o.batch_id WHERE o.id = $1',
      [id],
    );
    const [first] = await payouts.paidTo(address);
    expect(await payouts.chain.spendCoins(...inputsOf(rows[0]?.psbt as string))).not.toBeNull();
    await payouts.chain.mine(5);
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '1 hour'`);
    await eventually(() => Promise.resolve(app.logs.concat(beside.logs).some((line) => line.includes('payout_conflict'))));
    expect((await payouts.paidTo(address)).filter(({ state }) => state !== 'gone')).toEqual([]);
    expect((await payouts.paidTo(address)).map(({ txid }) => txid)).toEqual([first?.txid]);
    await payouts.chain.mine();
    await eventually(async () => (await payouts.paidTo(address)).some(({ state }) => state === 'mempool'));
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    await expectPaidOnce(address, 20_000);
  });

  it('two processes send at the same time: each is paid once', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => fixture.user({ sats: 60_000 })));
    const addresses = people.map(() => payouts.outside());
    // Both processes lead: the role is economy only.
    const ids = await Promise.all(people.map((person, index) => payouts.queued(person, addresses[index] as string, 20_000, 'MEDIUM')));
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = ANY ($1)`, [ids]);
    await Promise.all([app, beside, app, beside].map((at) => at.get(PayoutSender).send('MEDIUM')));
    await payouts.reaches('broadcast', ...ids);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ...ids);
    for (const address of addresses) expect(await payouts.paidTo(address)).toMatchObject([{ state: 'confirmed' }]);
  });

  it('times of a clock that was ahead hold up nothing', async () => {
    const [left, waits] = [payouts.outside(), payouts.outside()];
    const ids = [await payouts.queued(alice, left, 20_000, 'MEDIUM'), await payouts.queued(alice, waits, 20_000, 'MEDIUM')] as const;
    // At once: a batch that is open and has no payments is dissolved in any round.
    const open = `WITH opened AS (INSERT INTO payout_batch (id, speed, made_at) VALUES ($1, 'FAST', now() + interval '1 day') RETURNING id)
      UPDATE payout o SET queued_at = queued_at + interval '1 day', state = CASE o.id WHEN $2 THEN 'batched' ELSE state END,
        batch_id = CASE o.id WHEN $2 THEN opened.id END FROM opened WHERE o.id = ANY ($3)`;
    await app.pool.query(open, [randomUUID(), ids[0], ids]);
    await payouts.reaches('broadcast', ...ids);
    // In two batches they may have spent all coins: the next one needs their change.
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ...ids);
    await app.pool.query(`UPDATE payout_batch SET speed = 'FAST', made_at = now() + interval '1 day' WHERE state = 'confirmed'`);
    const fast = await payouts.queued(alice, payouts.outside(), 20_000);
    await payouts.reaches('broadcast', fast);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', fast);
    await app.pool.query(`UPDATE payout_batch SET made_at = now() - interval '1 hour'`);
  });

  it('a cancel and a batch race for it: one of them has it', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => payouts.queued(alice, payouts.outside(), 20_000, 'MEDIUM')));
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = ANY ($1)`, [ids]);
    await Promise.all(ids.map((id) => app.pool.query(`SELECT payout_cancel($1, 'test', 'a test')`, [id])));
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => payouts.state(id)));
      return states.every((state) => state === 'cancelled' || state === 'broadcast');
    });
    await payouts.chain.mine();
    for (const id of ids) if ((await payouts.state(id)) !== 'cancelled') await payouts.reaches('confirmed', id);
  });

  it('a wallet that is short lets wait what it does not cover, and sends what it does', async () => {
    const [large, small] = [payouts.outside(), payouts.outside()];
    const ids = [await payouts.queued(alice, large, 150_000, 'MEDIUM'), await payouts.queued(alice, small, 20_000, 'MEDIUM')] as const;
    const { rows } = await app.pool.query<{ sats: string }>('SELECT sum(sats) AS sats FROM simulated_chain.coin WHERE height IS NOT NULL');
    await payouts.chain.reserve(BigInt(rows[0]?.sats ?? 0) - 60_000n);
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = ANY ($1)`, [ids]);
    await eventually(() => Promise.resolve(app.logs.concat(beside.logs).some((line) => line.includes('payout_wallet_short'))));
    await payouts.reaches('broadcast', ids[1]);
    expect(await payouts.paidTo(large)).toEqual([]);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ids[1]);
    await expectPaidOnce(small, 20_000);
    before = await payouts.leftMsat();
    await payouts.chain.reserve(0n);
    await payouts.reaches('broadcast', ids[0]);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ids[0]);
    await expectPaidOnce(large, 150_000);
  });

  it.each(['MEDIUM', 'FAST'])('one that the wallet refuses does not hold up the others: %s', async (speed) => {
    const addresses = [payouts.outside(), payouts.outside(), payouts.outside()];
    const ids = await Promise.all(addresses.map((address) => payouts.queued(alice, address, 20_000, 'MEDIUM')));
    await app.pool.query(`UPDATE payment SET payment_request = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' WHERE id = $1`, [ids[0]]);
    // As FAST they would have been sent before all are there.
    const dearer = `UPDATE payout SET speed = $2, miner_limit_sats = 2 * miner_limit_sats WHERE id = ANY ($1)`;
    await app.pool.query(dearer, [ids, speed]);
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = ANY ($1)`, [ids]);
    await payouts.reaches('broadcast', ...ids.slice(1));
    expect(await payouts.state(ids[0] as string)).not.toBe('broadcast');
    await eventually(async () => {
      const { rows } = await app.pool.query<{ outcome: string }>(`SELECT payout_cancel($1, 'test', 'a test') AS outcome`, [ids[0]]);
      return rows[0]?.outcome === 'cancelled';
    });
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ...ids.slice(1));
    expect(app.logs.concat(beside.logs).some((line) => line.includes('payout_refused') && line.includes(ids[0] as string))).toBe(true);
  });

  it.each([
    ['once another transaction has six confirmations', false],
    ['on the word of an operator', true],
  ])(
    'a deposit that a reorganisation takes for good takes the transaction that spends it along: another one pays %s',
    async (_when, asked) => {
      const sluice = new OperatorCommand(app);
      const made = await app.get(OnChainWallet).newAddress();
      const coin = await payouts.chain.deposit({ address: made.status === 'created' ? made.address : '', sats: 5_000_000n });
      await payouts.chain.mine();
      const address = payouts.outside();
      const id = await payouts.queued(alice, address, 20_000);
      const requeue = (): Promise<string> => sluice.run('payout', 'requeue', id, '--because', 'a test');
      await expect(requeue()).rejects.toThrow(/has waited for its block|knows its transaction/);
      await payouts.reaches('broadcast', id);
      await expect(requeue()).rejects.toThrow('The wallet knows its transaction');
      await payouts.chain.reorganise(2);
      expect(await payouts.chain.replace(coin ?? '')).not.toBeNull();
      await payouts.chain.mine(asked ? 1 : 6);
      if (asked) await expect(requeue()).rejects.toThrow('has waited for its block for ten minutes');
      await app.pool.query(`UPDATE payout_batch SET lease_until = now(), made_at = made_at - interval '1 hour'`);
      if (asked) {
        expect(await eventually(requeue)).toBe(`${id} and those in its transaction are in the queue again`);
        expect(await sluice.run('payout', 'show', id)).toMatch(/payout requeue: a test/);
      }
      await eventually(async () => (await payouts.paidTo(address)).some(({ state }) => state === 'mempool'));
      await payouts.chain.mine();
      await payouts.reaches('confirmed', id);
      await expectPaidOnce(address, 20_000);
    },
  );

  it('coins that make it dearer than its hold: it is sent at the rate that the hold pays, and waits if there is none', async () => {
    const { rows: coins } = await app.pool.query<Outpoint>('SELECT txid, vout FROM simulated_chain.coin');
    expect(await payouts.chain.spendCoins(...coins)).not.toBeNull();
    await payouts.fund(20_000, 20_000, 20_000, ...Array.from({ length: 70 }, () => 3_000));
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, 50_000);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    const { rows } = await app.pool.query(
      'SELECT miner_sats <= miner_limit_sats AS pays, miner_sats > 1000 AS large FROM payout WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ pays: true, large: true }]);
    await expectPaidOnce(address, 50_000);

    before = await payouts.leftMsat();
    const waits = await payouts.queued(alice, payouts.outside(), 80_000);
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '1 hour'`);
    await eventually(() => Promise.resolve(app.logs.concat(beside.logs).some((line) => line.includes('payout_dear'))));
    await payouts.fund(5_000_000);
    await payouts.reaches('broadcast', waits);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', waits);
  });

  const run = async (options: Arguments['options']): Promise<string> => {
    const lines: string[] = [];
    const call = reconcileCommands[0]?.run(app.sluice.app, { positionals: [], options }, (line) => void lines.push(line), 'sluice');
    return call?.then(
      () => lines.join('\n'),
      (error: Error) => `${lines.join('\n')}\n${error.message}`,
    ) as Promise<string>;
  };

  it('a restored copy that lacks what the wallet has sent sends nothing until an operator accepts it', async () => {
    expect(await run({})).not.toContain('not known to the ledger');
    const wallet = app.get(OnChainWallet);
    const outputs = [{ address: payouts.outside(), sats: 20_000n }];
    const funded = await wallet.fund({ outputs, satsPerVbyte: 2, lease: { id: 'ab'.repeat(32), seconds: 60 } });
    const final = await wallet.finalize(funded.status === 'funded' ? funded.psbt : '');
    const { rawTransaction, txid } = final.status === 'final' ? final : { rawTransaction: '', txid: '' };
    expect(await wallet.publish(rawTransaction, `payout ${randomUUID()}`)).toEqual({ status: 'published' });
    expect(await run({})).not.toContain(txid);
    // The scan of a copy is at the tip before the comparison: what was sent long ago is found all the same.
    await payouts.chain.mine(150);
    await eventually(async () => (await app.pool.query('SELECT FROM onchain_cursor WHERE height > 150')).rowCount === 1);

    await app.pool.query('SELECT database_mark_forget()');
    const found = await run({});
    expect(found).toContain(`not known to the ledger: transaction ${txid} of payouts`);
    const sent = (): Promise<{ errors: unknown[] }> => payouts.send(alice, { address: payouts.outside(), amount: 20_000, speed: 'SLOW' });
    expect((await sent()).errors).toEqual([expect.objectContaining({ code: 'SENDS_STOPPED' })]);
    const [, accepting = ''] = /--accept ([0-9a-f]+)/.exec(found) ?? [];
    expect(await run({ accept: accepting, because: 'a test' })).toContain('Accepted');
    expect(await run({})).not.toContain('not known to the ledger');
    expect((await sent()).errors).toEqual([]);
    await payouts.chain.mine();
  });

  /** A standby that lacks the last commits takes over: the payment is queued there, and in the wallet's transactions. */
  const failOver = async (id: string): Promise<void> => {
    const { rows } = await app.pool.query<{ batch: string }>('SELECT batch_id AS batch FROM payout WHERE id = $1', [id]);
    await app.pool.query(`WITH lost AS (DELETE FROM payout_batch WHERE id = '${rows[0]?.batch}'),
      sent AS (DELETE FROM payout_transaction WHERE batch_id = '${rows[0]?.batch}'),
      promoted AS (UPDATE database_mark SET xid = pg_current_xact_id()::text::bigint, timeline = timeline - 1)
      UPDATE payout SET state = 'queued', batch_id = NULL, vout = NULL, weight = NULL WHERE id = '${id}'`);
  };

  it.each(['before a batch', 'while a batch is made'])(
    'a standby that took over %s does not send again what the wallet has sent',
    async (when) => {
      const address = payouts.outside();
      const id = await payouts.queued(alice, address, 20_000);
      await payouts.reaches('broadcast', id);
      if (when === 'before a batch') await failOver(id);
      else {
        const store = app.get(PayoutStore);
        const take = store.take.bind(store);
        let isOver = false;
        const asked = jest.spyOn(store, 'take').mockImplementation(async (...batch) => {
          asked.mockRestore();
          await failOver(id);
          isOver = true;
          return take(...batch);
        });
        await eventually(async () => (await app.get(PayoutSender).send('FAST'), isOver));
      }
      const freeze = `SELECT FROM payment_freeze WHERE cause = 'reconciliation'`;
      await eventually(async () => (await app.pool.query(freeze)).rowCount === 1 || (await payouts.state(id)) === 'broadcast');
      await eventually(async () => (await payouts.state(id)) === 'queued');
      expect(await payouts.paidTo(address)).toHaveLength(1);
      await new OperatorCommand(app).run('payout', 'cancel', id, '--because', 'a test');
      const [, accepting = ''] = /--accept ([0-9a-f]+)/.exec(await run({})) ?? [];
      await run({ accept: accepting, because: 'a test' });
    },
  );
});
