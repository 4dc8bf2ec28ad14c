import { setTimeout as delay } from 'node:timers/promises';
import { readTransaction } from '../../../../src/money/onchain/index.js';
import { LndWallet } from '../../../../src/money/onchain/lnd-wallet.js';
import { PayoutSettings } from '../../../../src/money/payment/payout/payout.settings.js';
import { createTestApp, dataOf, eventually, TestUser, type TestApp } from '../../../../src/testing/index.js';
import { OperatorCommand } from '../../../support/operator-command.js';
import { lndEnvironment } from '../lnd-environment.js';
import { openLndChain, type LndChainFixture } from './chain-fixture.js';

const CREATE = 'mutation ($input: OnChainAddressCreateInput!) { answer: onChainAddressCreate(input: $input) { address errors { code } } }';
const SEND = `mutation ($input: OnChainPaymentSendInput!) { answer: onChainPaymentSend(input: $input) { status errors { code } transaction { id } } }`;
const SEND_ALL = `mutation ($input: OnChainPaymentSendAllInput!) { answer: onChainPaymentSendAll(input: $input) { status errors { code } transaction { id } } }`;
const PENDING = '{ me { defaultAccount { pendingIncomingTransactions { id } } } }';
/** A minute is enough for what takes a second, on any machine. */
const WITHIN_MS = 60_000;
const AMOUNT = 20_000;

interface Sent {
  readonly status: string | null;
  readonly errors: readonly { readonly code: string }[];
  readonly transaction: { readonly id: string } | null;
}

/** Every transaction of the chain pays each payment once, and the ledger agrees. */
describe('on-chain by a real LND node', () => {
  let chain: LndChainFixture;
  let app: TestApp;
  let alice: TestUser;

  beforeAll(async () => {
    chain = await openLndChain();
    const { certificate, macaroon } = chain.nodes.c;
    const env = { ...(await lndEnvironment({ address: chain.address, certificate, macaroon })), ACCOUNT_LIMITS: 'none' };
    const quick = { LIGHTNING_CALL_SECONDS: '5', PAYMENT_WAIT_SECONDS: '5', THROTTLE_ONCHAIN_ADDRESS: '1000/3600' };
    const speeds = { ...new PayoutSettings().speeds, MEDIUM: { targetBlocks: 6, afterSeconds: 3_600, outputs: 5 } };
    app = await createTestApp({
      env: { ...env, ...quick },
      settings: {
        OnChainSettings: { scanMs: 200 },
        PayoutSettings: { speeds, roundMs: 200, retrySeconds: 0.5, lookSeconds: 0.5, openSeconds: 2 },
      },
      payFromOutside: async (_app, request) => chain.nodes.a.pay(request),
    });
    await eventually(async () => (await fetch(`${app.url}/health/ready`)).status === 200, WITHIN_MS);
    alice = await TestUser.create(app, { sats: 400_000 });
  });
  beforeEach(async () => void (await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`)));
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await app.audit()).toEqual([]);
  });
  afterAll(async () => {
    await app?.close();
    await chain?.close();
  });

  const ask = async <Answer>(document: string, scope: string, more: object = {}, user = alice): Promise<Answer> =>
    (await dataOf<{ answer: Answer }>(app.url, document, { input: { walletId: user.wallets.BTC, ...more } }, await user.key(scope))).answer;
  const addressOf = async (user: TestUser): Promise<string> => (await ask<{ address: string }>(CREATE, 'receive', {}, user)).address;
  const pendingOf = async (user: TestUser): Promise<number> => {
    const { me } = await dataOf<{ me: { defaultAccount: { pendingIncomingTransactions: unknown[] } } }>(
      app.url,
      PENDING,
      {},
      await user.key('read'),
    );
    return me.defaultAccount.pendingIncomingTransactions.length;
  };
  const has = (user: TestUser, sats: number): Promise<unknown> => eventually(async () => (await user.sats()) === sats, WITHIN_MS);
  const waits = (user: TestUser, count: number): Promise<unknown> => eventually(async () => (await pendingOf(user)) === count, WITHIN_MS);
  const queued = async (address: string, speed = 'FAST'): Promise<string> => {
    const sent = await ask<Sent>(SEND, 'write', { address, amount: AMOUNT, speed });
    expect(sent).toMatchObject({ status: 'SUCCESS', errors: [] });
    return sent.transaction?.id ?? '';
  };
  const reaches = (state: string, ...ids: readonly string[]): Promise<unknown> =>
    eventually(async () => {
      const { rows } = await app.pool.query('SELECT FROM payout WHERE id = ANY($1) AND state = $2', [ids, state]);
      return rows.length === ids.length;
    }, WITHIN_MS);
  /** The transactions of the node's wallet that pay the address, in blocks and in its mempool. */
  const payersOf = async (address: string): Promise<string[]> => {
    const { transactions } = await chain.nodes.c.call('lnrpc.Lightning/GetTransactions', { end_height: -1 });
    return (transactions as { tx_hash: string; output_details: { address: string; amount: string }[] }[])
      .filter(({ output_details: outputs }) => outputs.some((output) => output.address === address))
      .map(({ tx_hash: txid }) => txid);
  };
  const confirmed = async (...ids: readonly string[]): Promise<void> => {
    await reaches('broadcast', ...ids);
    await chain.mine(1);
    await reaches('confirmed', ...ids);
  };

  it('a wallet without coins: LIQUIDITY, and nothing is held', async () => {
    const sent = await ask<Sent>(SEND, 'write', { address: await chain.addressOfOther(), amount: AMOUNT });
    expect(sent).toMatchObject({ errors: [{ code: 'LIQUIDITY' }], transaction: null });
    expect(await alice.sats()).toBe(400_000);
  });

  it('deposits: seen in the mempool, credited with two confirmations, two of one address', async () => {
    const bob = await TestUser.create(app);
    const address = await addressOf(bob);
    await chain.payFromOutside([{ address, sats: 600_000n }]);
    await waits(bob, 1);
    expect(await bob.sats()).toBe(0);
    await chain.payFromOutside([{ address, sats: 300_000n }]);
    await waits(bob, 2);
    await chain.mine(1);
    await chain.mine(1);
    await has(bob, 900_000 - 5_000);
    expect(await pendingOf(bob)).toBe(0);
  });

  it('a deposit whose block is replaced is credited once', async () => {
    const bob = await TestUser.create(app);
    await chain.payFromOutside([{ address: await addressOf(bob), sats: 50_000n }]);
    await chain.mine(1);
    await chain.reorganise(1);
    await chain.mine(2);
    await has(bob, 47_500);
    await chain.mine(1);
    expect(await bob.sats()).toBe(47_500);
  });

  it('a deposit while the node is away is credited after its restart', async () => {
    const bob = await TestUser.create(app);
    const { c, btcd } = chain.nodes;
    await chain.payFromOutside([{ address: await addressOf(bob), sats: 50_000n }]);
    await c.stop();
    await btcd.mine(3);
    await c.start();
    await c.waitUntilSynced();
    await chain.synced();
    await has(bob, 47_500);
  });

  it('a payment: broadcast, then confirmed', async () => {
    const address = await chain.addressOfOther();
    const before = await alice.sats();
    await confirmed(await queued(address));
    expect(await payersOf(address)).toHaveLength(1);
    expect(await alice.sats()).toBeLessThan(before - AMOUNT - 5_000);
  });

  it('a batch of five is one transaction', async () => {
    const ids: string[] = [];
    const addresses: string[] = [];
    for (let at = 0; at < 5; at++) {
      addresses.push(await chain.addressOfOther());
      ids.push(await queued(addresses[at] ?? '', 'MEDIUM'));
    }
    await confirmed(...ids);
    const txids = await Promise.all(addresses.map(payersOf));
    expect(txids.map((each) => each.length)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(txids.flat()).size).toBe(1);
  });

  it.each(['fund', 'publish'] as const)('the answer of %s is lost: one transaction pays', async (method) => {
    const { [method]: original } = LndWallet.prototype as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const lost: unknown[] = [];
    jest.spyOn(LndWallet.prototype, method as 'publish').mockImplementationOnce(async function (this: LndWallet, ...args) {
      await chain.loseAnswers();
      lost.push(await original?.apply(this, args));
      await chain.reconnect();
      return { status: 'unknown' };
    });
    const address = await chain.addressOfOther();
    await confirmed(await queued(address));
    expect(lost).toEqual([{ status: 'unknown' }]);
    expect(await payersOf(address)).toHaveLength(1);
    const { locked_utxos: leases } = await chain.nodes.c.call('walletrpc.WalletKit/ListLeases');
    expect(leases).toEqual([]);
  });

  it('the lease runs out between store and publish: the stored bytes are sent', async () => {
    const stored: string[] = [];
    jest.spyOn(LndWallet.prototype, 'publish').mockImplementationOnce(async (raw) => {
      stored.push(readTransaction(raw, 'regtest').txid);
      const { c } = chain.nodes;
      const { locked_utxos: leases } = await c.call('walletrpc.WalletKit/ListLeases');
      for (const { id, outpoint } of leases as { id: Buffer; outpoint: object }[])
        await c.call('walletrpc.WalletKit/ReleaseOutput', { id, outpoint });
      await delay(1_000);
      return { status: 'unknown' };
    });
    const address = await chain.addressOfOther();
    await confirmed(await queued(address));
    expect(await payersOf(address)).toEqual(stored);
  });

  it('the node restarts between store and publish', async () => {
    jest.spyOn(LndWallet.prototype, 'publish').mockImplementationOnce(async function (this: LndWallet, raw, label) {
      const { c } = chain.nodes;
      await c.stop('SIGKILL');
      const answer = await this.publish(raw, label);
      await c.start();
      await c.waitUntilSynced();
      return answer;
    });
    const address = await chain.addressOfOther();
    await confirmed(await queued(address));
    expect(await payersOf(address)).toHaveLength(1);
  });

  it('a bump replaces the transaction, and pays once', async () => {
    const address = await chain.addressOfOther();
    const id = await queued(address);
    await reaches('broadcast', id);
    const [first] = await payersOf(address);
    const command = new OperatorCommand(app as never);
    await command.run('payout', 'bump', id, '--rate', '60', '--because', 'it waits');
    await eventually(async () => (await payersOf(address)).some((txid) => txid !== first), WITHIN_MS);
    await confirmed(id);
    const payers = await payersOf(address);
    expect(payers).toHaveLength(1);
    expect(payers).not.toContain(first);
  });

  it('all of a wallet leaves, to a balance of 0', async () => {
    const sent = await ask<Sent>(SEND_ALL, 'write', { address: await chain.addressOfOther(), speed: 'FAST' });
    expect(sent).toMatchObject({ status: 'SUCCESS', errors: [] });
    await confirmed(sent.transaction?.id ?? '');
    expect(await alice.sats()).toBe(0);
  });
});
