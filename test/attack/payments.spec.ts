import { createHash, randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import { signRecoverable } from 'tiny-secp256k1';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { decodeInvoice } from '../../src/money/lightning/index.js';
import { PaymentStore } from '../../src/money/payment/payment.store.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { writtenInvoice } from '../support/written-invoice.js';

const MOVE = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }`;
const CREATE = `mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash } } }`;
const FOR_OTHERS = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } invoice { paymentHash } } }`;
/** Held beside each of these amounts, and passed to the node. */
const FEE_LIMIT = 10;
const ROUTE_HINT = 3;
const UNLIMITED = { THROTTLE_ADDRESS: '1000000/60', THROTTLE_PRINCIPAL: '1000000/60', THROTTLE_ACCOUNT: '1000000/60' };

let app: TestApp;
let fixture: Fixture;
let mallory: Person;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp({ env: UNLIMITED });
  fixture = new Fixture(app);
});
beforeEach(async () => {
  [mallory, alice] = await Promise.all([fixture.user({ sats: 1_000 }), fixture.user()]);
});
afterEach(async () => {
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(() => app.close());

const lossMsat = async (): Promise<bigint> =>
  (await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5')).rows[0]?.posted ?? 0n;

/** The same invoice, signed by the attacker, with a hint to a channel of his own that takes `feeBaseMsat`. */
function withHint(paymentRequest: string, feeBaseMsat: number): string {
  const { prefix, words } = bech32.decode(paymentRequest as `${string}1${string}`, false);
  const hop = Buffer.concat([Buffer.alloc(33, 2), Buffer.alloc(8, 1), Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(2)]);
  hop.writeUInt32BE(feeBaseMsat, 41);
  const field = bech32.toWords(hop);
  // The signature is the last 104 words.
  const data = [...words.slice(0, -104), ROUTE_HINT, field.length >> 5, field.length & 31, ...field];
  const digest = createHash('sha256').update(prefix).update(bytesOf(data)).digest();
  const { signature, recoveryId } = signRecoverable(digest, randomBytes(32));
  return bech32.encode(prefix, [...data, ...bech32.toWords(Uint8Array.of(...signature, recoveryId))], false);
}

function bytesOf(words: readonly number[]): Buffer {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('');
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from(padded.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []);
}

/** An invoice of the outside whose route hint takes this fee. */
async function hinted(sats: number, routeFeeMsat: bigint): Promise<{ paymentRequest: string; paymentHash: string }> {
  const { paymentRequest, paymentHash } = await fixture.outside(sats, { routeFeeMsat });
  const text = withHint(paymentRequest, Number(routeFeeMsat));
  await app.pool.query('UPDATE simulator.invoice SET payment_request = $2 WHERE payment_hash = $1', [paymentHash, text]);
  return { paymentRequest: text, paymentHash };
}

describe('routing fees that the attacker’s own node takes, by route hints', () => {
  it('are his own cost, up to the limit that was held; the operator adds nothing', async () => {
    const loss = await lossMsat();
    for (let n = 1; n <= 5; n++) {
      const { paymentRequest } = await hinted(1, BigInt(FEE_LIMIT) * 1_000n);
      const decoded = decodeInvoice(paymentRequest);
      expect(decoded.ok && decoded.invoice.routeHints).toMatchObject([[{ feeBaseMsat: FEE_LIMIT * 1_000 }]]);
      expect(await mallory.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await mallory.sats()).toBe(1_000 - n * (1 + FEE_LIMIT));
    }
    expect(await lossMsat()).toBe(loss);
  });

  it('are not paid beyond the limit', async () => {
    const { paymentRequest } = await hinted(1, BigInt(FEE_LIMIT) * 1_000n + 1n);
    expect(await mallory.pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await mallory.sats()).toBe(1_000);
  });

  it('are not paid from money that the attacker does not have', async () => {
    const [before, after] = [await hinted(1_000 - FEE_LIMIT + 1, 10_000n), await hinted(1_000 - FEE_LIMIT, 10_000n)];
    expect(await mallory.pay(before.paymentRequest)).toMatchObject({ errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
    expect(await mallory.pay(after.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await mallory.sats()).toBe(0);
  });

  it('are not paid for an invoice of this server that the attacker has signed anew, before and after it is paid', async () => {
    const { paymentRequest } = await alice.invoice(50);
    const mismatch = { status: 'FAILURE', errors: [{ code: 'INVOICE_TEXT_MISMATCH' }] };
    expect(await mallory.pay(withHint(paymentRequest, 10_000))).toMatchObject(mismatch);
    expect(await mallory.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect((await mallory.pay(withHint(paymentRequest, 10_000))).status).not.toBe('SUCCESS');
    expect([await mallory.sats(), await alice.sats()]).toEqual([950, 50]);
  });
});

const UNPAYABLE = [-1, -0.5, 0, 0.5, -(2 ** 31), -(2 ** 53), 2 ** 53, 2 ** 63, 2 ** 64, 1e21, 1e300];
const UNPAYABLE_TEXTS = [
  '-1',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551617',
  '-9223372036854775809',
  '0x10',
  '1e3',
  '1.5',
  ' 1',
  '١',
];

describe.each([...UNPAYABLE, ...UNPAYABLE_TEXTS])('the amount %j', (amount) => {
  const isRefused = ({ data, errors }: { data?: object | null; errors?: unknown }): boolean => {
    const payload = Object.values(data ?? {})[0] as { status?: string; errors?: unknown[]; invoice?: unknown } | null | undefined;
    return errors !== undefined || (payload?.status !== 'SUCCESS' && !payload?.invoice && (payload?.errors?.length ?? 0) > 0);
  };

  it('moves nothing, and is in no invoice', async () => {
    const inputs = [
      [MOVE, { walletId: mallory.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount }, mallory.as('write')],
      [CREATE, { walletId: mallory.wallets.BTC, amount }, mallory.as('receive')],
      [FOR_OTHERS, { recipientWalletId: alice.wallets.BTC, amount }, {}],
    ] as const;
    for (const [document, input, credential] of inputs)
      expect(isRefused(await graphql(app.url, document, { input }, credential))).toBe(true);
    expect([await mallory.sats(), await alice.sats()]).toEqual([1_000, 0]);
  });
});

describe('an invoice of the outside over an impossible amount', () => {
  it.each([2n ** 53n, 2_100_000_000_000_000_000n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, 2n ** 64n + 1_000n, 10n ** 30n])(
    '%d msat is not paid, and wraps to no smaller one',
    async (amountMsat) => {
      const answer = await text(() => writtenInvoice({ amountMsat })).then((request) =>
        request ? mallory.pay(request) : { status: 'FAILURE' },
      );
      expect(answer.status).not.toBe('SUCCESS');
      expect(await mallory.sats()).toBe(1_000);
    },
  );

  /** Undefined where no invoice has room for the amount. */
  const text = async (write: () => string): Promise<string | undefined> => {
    try {
      return write();
    } catch {
      return undefined;
    }
  };
});

describe('one invoice, by two payers', () => {
  let bob: Person;
  beforeEach(async () => (bob = await fixture.user({ sats: 1_000 })));

  it.each([
    ['mallory, then bob', false],
    ['bob, then mallory', true],
  ])('of this server is paid by the first alone: %s', async (_order, swaps) => {
    const [first, second] = swaps ? [bob, mallory] : [mallory, bob];
    const { paymentRequest } = await alice.invoice(70);
    expect(await first.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await second.pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect([await first.sats(), await second.sats(), await alice.sats()]).toEqual([930, 1_000, 70]);
  });

  it('of this server, paid outside first, is not paid again inside', async () => {
    const { paymentRequest } = await alice.invoice(70);
    expect(await fixture.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
    await eventually(async () => (await alice.sats()) === 70);
    expect((await mallory.pay(paymentRequest)).status).not.toBe('SUCCESS');
    expect([await mallory.sats(), await alice.sats()]).toEqual([1_000, 70]);
  });

  it('of this server, paid inside first, takes no second payment for the first payer’s money', async () => {
    const { paymentRequest } = await alice.invoice(70);
    expect(await mallory.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const { status } = await fixture.simulator.payOutside(paymentRequest);
    // Until the node's copy is closed the outside can pay too: that is the recipient's.
    await eventually(async () => (await alice.sats()) === (status === 'paid' ? 140 : 70));
    expect(await mallory.sats()).toBe(930);
  });

  it.each([
    ['mallory, then bob', false],
    ['bob, then mallory', true],
  ])('of the outside is sent for the first alone, and for the second once it has failed: %s', async (_order, swaps) => {
    const [first, second] = swaps ? [bob, mallory] : [mallory, bob];
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    const paying = first.pay(paymentRequest);
    await eventually(async () => (await first.sats()) === 1_000 - 100 - FEE_LIMIT);
    expect(await second.pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await second.sats()).toBe(1_000);
    await fixture.release(paymentHash, 'no_route');
    expect(await paying).toMatchObject({ status: 'FAILURE' });
    await fixture.simulator.setFaults(paymentHash, {});
    expect(await second.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await first.pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect([await first.sats(), await second.sats()]).toEqual([1_000, 1_000 - 102]);
  });
});

describe('payments in a loop', () => {
  it('to the payer himself are refused, by wallet and by invoice', async () => {
    const input = { walletId: mallory.wallets.BTC, recipientWalletId: mallory.wallets.BTC, amount: 10 };
    const { data } = await graphql(app.url, MOVE, { input }, mallory.as('write'));
    expect(data).toMatchObject({ intraLedgerPaymentSend: { status: 'FAILURE', errors: [{ code: 'CANT_PAY_SELF' }] } });
    expect(await mallory.pay((await mallory.invoice(10)).paymentRequest)).toMatchObject({ errors: [{ code: 'CANT_PAY_SELF' }] });
    expect(await mallory.sats()).toBe(1_000);
  });

  it('between accounts of one attacker, at once and around, leave what there was, and cost the operator nothing', async () => {
    const ring = [mallory, alice, await fixture.user(), await fixture.user()];
    const loss = await lossMsat();
    for (let round = 0; round < 5; round++) {
      const invoices = await Promise.all(ring.map((person) => person.invoice(1_000)));
      for (const [n, person] of ring.entries())
        expect(await person.pay(invoices[(n + 1) % ring.length]?.paymentRequest ?? '')).toMatchObject({ status: 'SUCCESS' });
      const more = await Promise.all(ring.map((person) => person.invoice(700)));
      await Promise.all(
        ring.flatMap((person, n) => [1, 2, 3].map((step) => person.pay(more[(n + step) % ring.length]?.paymentRequest ?? ''))),
      );
      const sats = await Promise.all(ring.map((person) => person.sats()));
      expect(sats.reduce((sum, one) => sum + one, 0)).toBe(1_000);
      // All back to the first.
      for (const [n, person] of ring.entries())
        if (n > 0 && (sats[n] ?? 0) > 0) await person.pay((await mallory.invoice(sats[n] ?? 0)).paymentRequest);
      expect(await mallory.sats()).toBe(1_000);
    }
    expect(await lossMsat()).toBe(loss);
  });
});

describe('a forged text with the hash of an invoice, which twenty accounts try to pay in a loop', () => {
  const SQUATTERS = 20;
  let apps: TestApp[];
  let squatters: Person[];
  beforeAll(async () => {
    // A busy machine makes each try of the line slow; how long an account waits in it is another test.
    const patient = { beside: app, env: UNLIMITED, settings: { PaymentSettings: { lineMs: 120_000 } } };
    apps = [await createTestApp(patient), await createTestApp(patient)];
    squatters = await Promise.all(Array.from({ length: SQUATTERS }, () => fixture.user({ sats: 100 })));
  });
  afterAll(() => Promise.all(apps.map((each) => each.close())));

  const PAY = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }';
  const pay = async (by: TestApp, payer: Person, paymentRequest: string): Promise<unknown> => {
    const input = { walletId: payer.wallets.BTC, paymentRequest };
    const { data } = await graphql(by.url, PAY, { input }, payer.as('write'));
    return (data as { lnInvoicePaymentSend: unknown }).lnInvoicePaymentSend;
  };

  it('does not keep its payer from paying it: tries stand in a line, also across processes, and those that failed go behind', async () => {
    for (let round = 1; round <= 5; round++) {
      const { paymentRequest, paymentHash } = await fixture.outside(10);
      const forged = writtenInvoice({ paymentHash, amountMsat: 1_000n });
      let tries = 0;
      let isOver = false;
      const [one, other] = apps as [TestApp, TestApp];
      const loops = squatters.map(async (squatter, n) => {
        for (; !isOver; tries++) await pay(n % 2 === 0 ? one : other, squatter, forged);
      });
      await eventually(() => tries >= SQUATTERS);
      const before = tries;
      const honest = await pay(one, mallory, paymentRequest);
      const others = tries - before;
      isOver = true;
      await Promise.all(loops);
      expect({ round, honest }).toEqual({ round, honest: { status: 'SUCCESS', errors: [] } });
      expect(others).toBeLessThan(SQUATTERS);
    }
  });

  it('takes no time of a payer whose first route failed, where no other account tries', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10, { fail: 'no_route' });
    expect(await pay(app, mallory, paymentRequest)).toMatchObject({ status: 'FAILURE' });
    await fixture.simulator.setFaults(paymentHash, {});
    const joins = jest.spyOn(app.get(PaymentStore), 'joinLine');
    expect(await pay(app, mallory, paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(joins).not.toHaveBeenCalled();
    joins.mockRestore();
  });

  it('is refused with INVOICE_BEING_PAID when another account pays it for longer than an account waits, and to a second try at once', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10, { hold: true });
    const paying = pay(app, mallory, paymentRequest);
    await eventually(async () => (await app.pool.query('SELECT 1 FROM payment WHERE payment_hash = $1', [paymentHash])).rowCount === 1);
    const [squatter] = squatters as [Person];
    const refused = { status: 'FAILURE', errors: [{ code: 'INVOICE_BEING_PAID' }] };
    const joins = jest.spyOn(app.get(PaymentStore), 'joinLine');
    expect(await Promise.all([1, 2, 3].map(() => pay(app, squatter, paymentRequest)))).toEqual([refused, refused, refused]);
    expect(new Set(joins.mock.calls.map(([request]) => request.id)).size).toBe(1);
    // It looks four times a second for five seconds: each look is a statement more for all who pay.
    expect(joins.mock.calls.length).toBeLessThanOrEqual(21);
    joins.mockRestore();
    await fixture.release(paymentHash);
    expect(await paying).toMatchObject({ status: 'SUCCESS' });
    expect((await app.pool.query('SELECT 1 FROM payment_line')).rowCount).toBe(0);
  });

  it('is not paid with a key that was revoked while its payer stood in the line', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10, { hold: true });
    const paying = pay(app, mallory, paymentRequest);
    await eventually(async () => (await app.pool.query('SELECT 1 FROM payment WHERE payment_hash = $1', [paymentHash])).rowCount === 1);
    const bob = await fixture.user({ sats: 100 });
    const waiting = pay(app, bob, paymentRequest);
    await eventually(async () => (await app.pool.query('SELECT 1 FROM payment_line')).rowCount === 1);
    const keys = app.get(ApiKeyService);
    for (const { id } of await keys.list(bob.userId)) await keys.revoke(bob.userId, id);
    await fixture.release(paymentHash, 'no_route');
    expect(await paying).toMatchObject({ status: 'FAILURE' });
    expect(await waiting).toEqual({ status: 'FAILURE', errors: [{ code: 'NOT_AUTHENTICATED' }] });
    // His key is gone.
    const { rows } = await app.pool.query('SELECT 1 FROM payment WHERE account_id = $1', [bob.accountId]);
    expect(rows).toEqual([]);
  });
});
