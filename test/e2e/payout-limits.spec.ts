import { WebhookService } from '../../src/money/webhook/index.js';
import { Notices } from '../../src/access/notice/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { EAGER, Payouts } from '../support/payouts.js';
import { WebhookReceiver, type ReceivedDelivery } from '../support/webhook-receiver.js';

const CREATE = `mutation { apiKeyCreate(input: { name: "limited", scopes: [READ, WRITE] }) { apiKeySecret apiKey { id } } }`;
const SET = `mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { id } } }`;
const LEFT = '{ me { defaultAccount { limits { withdrawal { remainingLimit } } } } }';
const EXPECTED = `query ($wallet: WalletId!, $id: ID!) { me { defaultAccount { walletById(walletId: $wallet) { transactionById(transactionId: $id) {
  createdAt settlementVia { ... on SettlementViaOnChain { transactionHash arrivalInMempoolEstimatedAt } } } } } } }`;
/** Above its fee: 5,000 of service, and the miner's fee of 10 sat/vB (MEDIUM) or 20 (FAST) and a quarter. */
const AMOUNT = 10_000;
const HELD = { MEDIUM: AMOUNT + 5_000 + 1_913, FAST: AMOUNT + 5_000 + 3_825 };
/** Of level ONE, in cents: at 20 satoshis a cent it is 100 times the amount. */
const LIMIT = 50_000;

describe('payments to bitcoin addresses, beside what else decides about payments', () => {
  let app: TestApp;
  let fixture: Fixture;
  let payouts: Payouts;

  beforeAll(async () => {
    const env = { ACCOUNT_LIMITS: `ZERO=0/0/0,ONE=${LIMIT}/0/0,TWO=9000000/0/0,THREE=9000000/0/0` };
    app = await createDollarApp({ env, settings: EAGER });
    [fixture, payouts] = [new Fixture(app), new Payouts(app)];
    await payouts.fund(...Array.from({ length: 8 }, () => 5_000_000));
  });
  beforeEach(async () => void (await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`)));
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** How many had each answer. */
  const sendMany = async (payer: Person, count: number, headers?: CredentialHeaders): Promise<Record<string, number>> => {
    const input = { address: payouts.outside(), amount: AMOUNT, speed: 'MEDIUM' };
    const sent = await Promise.all(Array.from({ length: count }, () => payouts.send(payer, input, undefined, headers)));
    const tally: Record<string, number> = {};
    for (const { status, errors } of sent) {
      const answer = errors.length > 0 ? `${errors[0].code}: ${errors[0].message}` : String(status);
      tally[answer] = (tally[answer] ?? 0) + 1;
    }
    return tally;
  };
  const leftOf = async (person: Person): Promise<number> =>
    (await dataOf(app.url, LEFT, {}, person.as('read'))).me.defaultAccount.limits.withdrawal[0].remainingLimit as number;
  const isLate = (id: string): Promise<unknown> =>
    app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '17 minutes' WHERE id = $1`, [id]);

  it('of 200 at once as many begin as the account may send, also after its spending is read again', async () => {
    const alice = await fixture.user({ sats: 200 * HELD.MEDIUM });
    const refusal = 'TRANSACTION_RESTRICTED: Cannot transfer more than $500 in 24 hours';
    expect(await sendMany(alice, 200)).toEqual({ SUCCESS: 100, [refusal]: 100 });
    expect(await leftOf(alice)).toBe(0);
    await app.pool.query('DELETE FROM spending_bound');
    expect(await sendMany(alice, 1)).toEqual({ [refusal]: 1 });
    expect(await alice.sats()).toBe(100 * HELD.MEDIUM);
  });

  it('of 200 at once as many begin as the key may spend', async () => {
    const alice = await fixture.user({ sats: 200 * HELD.MEDIUM });
    await app.pool.query(`UPDATE account SET level = 'TWO' WHERE id = $1`, [alice.accountId]);
    const session = await fixture.session(alice);
    const { apiKeyCreate: made } = await dataOf(app.url, CREATE, {}, session);
    await dataOf(app.url, SET, { input: { id: made.apiKey.id, limitTimeWindow: 'DAILY', limitSats: 50 * HELD.MEDIUM } }, session);
    const refusal = 'TRANSACTION_RESTRICTED: daily spending limit exceeded';
    expect(await sendMany(alice, 200, { 'x-api-key': made.apiKeySecret as string })).toEqual({ SUCCESS: 50, [refusal]: 150 });
    expect(await alice.sats()).toBe(150 * HELD.MEDIUM);
  });

  it('made twice at once are one with an idempotency key, and two without', async () => {
    const [alice, address] = [await fixture.user({ sats: 100_000 }), payouts.outside()];
    const headers = { ...alice.as('write'), 'idempotency-key': 'twice at once' };
    const pair = (by: CredentialHeaders): Promise<{ transaction: { id: string } }[]> =>
      Promise.all([1, 2].map(() => payouts.send(alice, { address, amount: AMOUNT }, undefined, by)));
    const ids = (await pair(headers)).map(({ transaction }) => transaction.id);
    expect(new Set(ids).size).toBe(1);
    expect(await alice.sats()).toBe(100_000 - HELD.FAST);
    ids.push(...(await pair(alice.as('write'))).map(({ transaction }) => transaction.id));
    expect(new Set(ids).size).toBe(3);
    await eventually(async () => {
      await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`);
      return (await payouts.paidTo(address)).length === 3;
    });
    await payouts.reaches('broadcast', ...ids);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ...ids);
    expect((await payouts.paidTo(address)).map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  it('come to webhooks as made, as sent and as confirmed', async () => {
    const receiver = await WebhookReceiver.start();
    const [alice, address] = [await fixture.user({ sats: 100_000 }), payouts.outside()];
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name = 'webhook'`)).rowCount === 1);
    expect(await app.get(WebhookService).add(alice.accountId, receiver.url())).toMatchObject({ kind: 'added' });
    const sends = (): ReceivedDelivery[] => receiver.at('/').filter(({ event }) => event.eventType === 'send.onchain');
    const id = await payouts.queued(alice, address, AMOUNT, 'MEDIUM');
    await eventually(() => sends().length === 1);
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = $1`, [id]);
    await eventually(() => sends().length === 2);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await eventually(() => sends().length === 3);
    receiver.stop();
    const [{ txid, vout } = {}] = await payouts.paidTo(address);
    const seen = sends().map(({ event: { transaction } }) => [transaction.id, transaction.status, transaction.settlementVia]);
    expect(seen).toEqual([
      [id, 'pending', { type: 'onchain', transactionHash: null, vout: null }],
      [id, 'pending', { type: 'onchain', transactionHash: txid, vout }],
      [id, 'success', { type: 'onchain', transactionHash: txid, vout }],
    ]);
    expect(sends()[0]?.event.transaction.initiationVia).toEqual({ type: 'onchain', address });
  });

  it('say when they are sent, until they are', async () => {
    const alice = await fixture.user({ sats: 100_000 });
    const id = await payouts.queued(alice, payouts.outside(), AMOUNT, 'SLOW');
    const expected = async (): Promise<{ createdAt: number; settlementVia: object }> =>
      (await dataOf(app.url, EXPECTED, { wallet: alice.wallets.BTC, id }, alice.as('read'))).me.defaultAccount.walletById.transactionById;
    const waiting = await expected();
    expect(waiting.settlementVia).toEqual({ transactionHash: null, arrivalInMempoolEstimatedAt: waiting.createdAt + 3_600 });
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '1 hour' WHERE id = $1`, [id]);
    await payouts.reaches('broadcast', id);
    expect((await expected()).settlementVia).toEqual({
      transactionHash: expect.any(String) as string,
      arrivalInMempoolEstimatedAt: null,
    });
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
  });

  it('whose fee limit is below the rate wait, which their owner learns once', async () => {
    const alice = await fixture.user({ sats: 100_000 });
    const address = payouts.outside();
    const id = await payouts.queued(alice, address, AMOUNT, 'MEDIUM');
    await app.pool.query('UPDATE payout SET miner_limit_sats = 100 WHERE id = $1', [id]);
    await isLate(id);
    const notices = async (): Promise<object[]> =>
      (await app.get(Notices).list(alice.userId, null, 10)).filter(({ kind }) => (kind as string) === 'payout_late');
    await eventually(async () => (await notices()).length > 0);
    await isLate(id);
    // Another one leaves meanwhile: there were rounds.
    const other = await payouts.queued(alice, payouts.outside(), AMOUNT);
    await payouts.reaches('broadcast', other);
    expect(await notices()).toMatchObject([{ details: { id, sats: AMOUNT, address } }]);
    expect([await payouts.state(id), await payouts.paidTo(address)]).toEqual(['queued', []]);
    await app.pool.query('UPDATE payout SET miner_limit_sats = 3825 WHERE id = $1', [id]);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id, other);
  });
});
