import { dataOf } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { WalletClient } from '../support/wallet-client.js';
import { atOnce, said, tally, TwoInstances, type Sent } from './two-instances.js';

const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }';
const LEFT = '{ me { defaultAccount { limits { withdrawal { remainingLimit } internalSend { remainingLimit } } } } }';
/** At this price, 10 satoshis are a cent. */
const ENV = { FIXED_PRICE_CENTS_PER_BTC: '10000000', ACCOUNT_LIMITS: 'ZERO=0/0/0,ONE=80/200/0,TWO=0/0/0,THREE=0/0/0' };

describe('payments at once over two processes', () => {
  let instances: TwoInstances;

  beforeAll(async () => {
    instances = await TwoInstances.start(ENV);
  });
  afterEach(async () => {
    expect(await violationsAtRest(instances.one.pool)).toEqual({});
    await instances.fixture.expectBalanced();
  });
  afterAll(async () => {
    const deadlocks = await instances.deadlocks();
    await instances.close();
    expect(deadlocks).toBe(0);
  });

  it('spend exactly the limit of their account', async () => {
    const alice = await instances.fixture.user({ sats: 100_000 });
    const bob = await instances.fixture.user();
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 100 };
    const answers = await atOnce(70, async (n) =>
      said((await dataOf(instances.url(n), SEND, { input }, alice.as('write'))).intraLedgerPaymentSend as Sent),
    );
    expect(tally(answers)).toEqual({ SUCCESS: 20, TRANSACTION_RESTRICTED: 50 });
    expect([await alice.sats(), await bob.sats()]).toEqual([98_000, 2_000]);
  });

  it('of two accounts to each other, to invoices and to the outside, never exceed a limit', async () => {
    const people = [await instances.fixture.user({ sats: 100_000 }), await instances.fixture.user({ sats: 100_000 })] as const;
    const of = (n: number): (typeof people)[number] => people[n % 2 === 0 ? 0 : 1];
    const requests = await atOnce(60, (n) => (n % 4 < 2 ? of(n + 1).invoice(90) : instances.fixture.outside(80, { routeFeeMsat: 1_000n })));
    const answers = await atOnce(90, async (n) => {
      const [payer, other, url] = [of(n), of(n + 1), instances.url(n >> 1)];
      const input = { walletId: payer.wallets.BTC, recipientWalletId: other.wallets.BTC, amount: 100 };
      const request = requests[n]?.paymentRequest;
      if (request === undefined) return said((await dataOf(url, SEND, { input }, payer.as('write'))).intraLedgerPaymentSend as Sent);
      return said((await new WalletClient(url, payer.wallets.BTC, (key) => payer.as(key)).pay(request)) as Sent);
    });
    const { SUCCESS = 0, ...others } = tally(answers);
    expect(others).toEqual({ TRANSACTION_RESTRICTED: 90 - SUCCESS });
    for (const payer of people) {
      const { withdrawal, internalSend } = (await dataOf(instances.url(0), LEFT, {}, payer.as('read'))).me.defaultAccount.limits;
      // What is left is less than the smallest payment that was refused.
      expect(withdrawal[0].remainingLimit).toBeLessThan(8);
      expect(internalSend[0].remainingLimit).toBeLessThan(10);
    }
  });
});
