import { demoPerson } from '../support/demo-person.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';
import { ServerProcess } from '../support/server-process.js';
import { Updates } from '../support/updates.js';
import type { WalletClient } from '../support/wallet-client.js';

const BY_HASH = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) { direction status settlementAmount } } } } }`;

describe('with nothing but demo.json', () => {
  let server: ServerProcess;
  let alice: WalletClient;
  let bob: WalletClient;
  let updates: Updates;

  beforeAll(async () => {
    server = await ServerProcess.start({ PAYMENT_WAIT_SECONDS: '5' });
    [alice, bob] = [demoPerson(server, 'alice'), demoPerson(server, 'bob')];
    updates = await Updates.open(alice, alice.as('read'), bob);
  });
  afterAll(async () => {
    updates?.close();
    await server?.close();
  });

  const balances = async (): Promise<[number, number]> => [await alice.sats(), await bob.sats()];

  it('alice’s receive key creates an invoice, bob’s write key pays it, and alice’s socket reports it', async () => {
    const [before, bobBefore] = await balances();
    const { paymentRequest, paymentHash } = await alice.invoice(2_100, 'a chair');
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS', errors: [], transaction: { settlementAmount: -2_100 } });
    expect(await updates.about(paymentHash)).toEqual({
      __typename: 'LnUpdate',
      status: 'PAID',
      transaction: { direction: 'RECEIVE', status: 'SUCCESS', settlementAmount: 2_100, initiationVia: { paymentHash } },
    });
    expect(await balances()).toEqual([before + 2_100, bobBefore - 2_100]);
  });

  it('the outside node pays her invoice', async () => {
    const [before, bobBefore] = await balances();
    const { paymentRequest, paymentHash } = await alice.invoice(300);
    expect(await server.sluice('simulator', 'pay', paymentRequest)).toMatch(/300 sats/);
    expect(await updates.about(paymentHash)).toMatchObject({
      __typename: 'LnUpdate',
      transaction: { direction: 'RECEIVE', settlementAmount: 300, initiationVia: { paymentHash } },
    });
    expect(await balances()).toEqual([before + 300, bobBefore]);
  });

  it('she pays the outside node, and her socket reports the outcome', async () => {
    const [before, bobBefore] = await balances();
    const paid = await alice.pay(await server.sluice('simulator', 'invoice', '--sats', '1000'));
    expect(paid).toMatchObject({ status: 'SUCCESS', errors: [], transaction: { status: 'SUCCESS', direction: 'SEND' } });
    const { settlementAmount } = paid.transaction;
    const update = await updates.next(({ transaction }) => transaction.direction === 'SEND');
    expect(update).toMatchObject({ __typename: 'PaymentUpdate', outcome: 'SUCCESS', transaction: { settlementAmount } });
    expect(await balances()).toEqual([before + settlementAmount, bobBefore]);
  });

  it('a payment that fails outside costs nothing, and her socket reports it', async () => {
    const before = await alice.sats();
    const invoice = await server.sluice('simulator', 'invoice', '--sats', '500', '--faults', 'fail=no_route');
    expect(await alice.pay(invoice)).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'ROUTE_FINDING_ERROR', message: 'Unable to find a route for payment.' }],
    });
    expect(await updates.next(({ outcome }) => outcome === 'FAILURE')).toMatchObject({ __typename: 'PaymentUpdate' });
    expect(await alice.sats()).toBe(before);
  });

  it('a held payment is PENDING in the history at once, and ends when the outside node releases it', async () => {
    const invoice = await server.sluice('simulator', 'invoice', '--sats', '700', '--faults', 'hold,dropResponse');
    const paid = await alice.pay(invoice);
    expect(paid).toMatchObject({ status: 'PENDING', errors: [], transaction: { status: 'PENDING', direction: 'SEND' } });
    const paymentHash = (await server.sluice('simulator', 'payments')).match(/[0-9a-f]{64}/)?.[0] ?? '';
    const history = (): Promise<unknown> => dataOf(server.url, BY_HASH, { hash: paymentHash }, alice.as('read'));
    expect(JSON.stringify(await history())).toContain('"status":"PENDING"');
    await server.sluice('simulator', 'release', paymentHash);
    expect(await updates.about(paymentHash)).toMatchObject({ __typename: 'PaymentUpdate', outcome: 'SUCCESS' });
    await eventually(async () => JSON.stringify(await history()).includes('"status":"SUCCESS"'));
  });

  it('the ledger audit is clean afterwards', async () => {
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });
});
