import { randomBytes } from 'node:crypto';
import { decodeInvoice, LightningBackend } from '../../src/money/lightning/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { writtenInvoice } from '../support/written-invoice.js';

const UNTHROTTLED = { THROTTLE_ADDRESS: '1000000/60', THROTTLE_PRINCIPAL: '1000000/60' };
const STATUS = 'query ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status } }';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let mallory: Person;

beforeAll(async () => {
  app = await createTestApp({ env: UNTHROTTLED });
  fixture = new Fixture(app);
  [alice, mallory] = [await fixture.user(), await fixture.user({ sats: 50 })];
});
afterEach(async () => {
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(() => app.close());

/** Another invoice with this payment hash, signed by a stranger. */
const forged = (paymentHash: string, sats: number): string => writtenInvoice({ paymentHash, amountMsat: BigInt(sats) * 1_000n });

/** Repeats `pay` in several loops at once while `work` runs. */
async function inLoop<T>(pay: () => Promise<unknown>, work: () => Promise<T>): Promise<{ result: T; answers: unknown[] }> {
  let isOver = false;
  const answers: unknown[] = [];
  const loops = Array.from({ length: 8 }, async () => {
    while (!isOver) answers.push(await pay());
  });
  try {
    return { result: await work(), answers };
  } finally {
    isOver = true;
    await Promise.all(loops);
  }
}

describe('a forged invoice with a payment hash of this server', () => {
  it('is refused at once, without a hold', async () => {
    const { paymentRequest, paymentHash } = await alice.invoice(10);
    const decoded = decodeInvoice(paymentRequest);
    expect(decoded.ok && decoded.invoice.paymentRequest).not.toBe(forged(paymentHash, 1));
    expect(await mallory.pay(forged(paymentHash, 1))).toEqual({
      status: 'FAILURE',
      errors: [
        {
          code: 'INVOICE_TEXT_MISMATCH',
          message: 'The text differs from the invoice that this server issued for this payment hash; nothing was sent',
          path: ['input', 'paymentRequest'],
        },
      ],
      transaction: null,
    });
    expect([await alice.sats(), await mallory.sats()]).toEqual([0, 50]);
    const { rows } = await app.pool.query('SELECT 1 FROM payment WHERE payment_hash = $1', [paymentHash]);
    expect(rows).toEqual([]);
    expect(await dataOf(app.url, STATUS, { input: { paymentHash } })).toEqual({ lnInvoicePaymentStatusByHash: { status: 'PENDING' } });
  });

  it('delays no other payer while an attacker sends it in a loop', async () => {
    const payers = await Promise.all(Array.from({ length: 4 }, () => fixture.user({ sats: 100 })));
    const invoices = await Promise.all(Array.from({ length: 8 }, () => alice.invoice(5)));
    let next = 0;
    const attack = (): Promise<unknown> => mallory.pay(forged(invoices[next++ % invoices.length]?.paymentHash ?? '', 1));
    const { result, answers } = await inLoop(attack, async () => {
      const honest: { status: string }[] = [];
      for (const [index, { paymentRequest }] of invoices.entries()) honest.push(await payers[index % 4]?.pay(paymentRequest));
      return honest;
    });
    expect(result.map(({ status }) => status)).toEqual(invoices.map(() => 'SUCCESS'));
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toMatchObject({ errors: [{ code: 'INVOICE_TEXT_MISMATCH' }] });
    expect([await alice.sats(), await mallory.sats()]).toEqual([40, 50]);
  });
});

describe('an invoice that several accounts want to pay', () => {
  it('is paid by one with sufficient funds beside the attempts of one without', async () => {
    const payer = await fixture.user({ sats: 2_000 });
    const invoices = await Promise.all(Array.from({ length: 5 }, () => fixture.outside(100)));
    let now = 0;
    const { result, answers } = await inLoop(
      () => mallory.pay(invoices[now]?.paymentRequest ?? ''),
      async () => {
        const honest: { status: string }[] = [];
        for (; now < invoices.length; now++) honest.push(await payer.pay(invoices[now]?.paymentRequest ?? ''));
        now--;
        return honest;
      },
    );
    expect(result.map(({ status }) => status)).toEqual(invoices.map(() => 'SUCCESS'));
    for (const answer of answers) expect(answer).toMatchObject({ status: 'FAILURE' });
    expect(await mallory.sats()).toBe(50);
  });
});

describe('an invoice of this node without a row in the database', () => {
  it('is refused: it is neither settled internally nor sent', async () => {
    const made = await app.get(LightningBackend).createInvoice({
      amountMsat: 5_000n,
      preimage: randomBytes(32).toString('hex'),
      expirySeconds: 600,
      description: 'made at the node by hand',
    });
    if (made.status !== 'created') throw new Error(made.status);
    expect(await mallory.pay(made.paymentRequest)).toEqual({
      status: 'FAILURE',
      errors: [
        {
          code: 'LIGHTNING_PAYMENT_ERROR',
          message: 'The invoice names this server as recipient, but this server did not issue it; nothing was sent',
          path: ['input', 'paymentRequest'],
        },
      ],
      transaction: null,
    });
    expect(await mallory.sats()).toBe(50);
    const { rows } = await app.pool.query('SELECT 1 FROM payment WHERE payment_hash = $1', [made.paymentHash]);
    expect(rows).toEqual([]);
  });
});
