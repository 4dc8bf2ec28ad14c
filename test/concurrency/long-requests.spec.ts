import { SystemClock } from '../../src/platform/kernel/clock.js';
import { IdempotencyService } from '../../src/edge/idempotency/idempotency.service.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type GraphQLAnswer } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const DOCUMENT = `mutation ($invoice: LnInvoiceCreateInput!, $one: LnInvoicePaymentInput!, $two: LnInvoicePaymentInput!) {
  made: lnInvoiceCreate(input: $invoice) { invoice { paymentHash } }
  one: lnInvoicePaymentSend(input: $one) { status }
  two: lnInvoicePaymentSend(input: $two) { status }
}`;

/** Runs as the system clock does, until the test turns it on. */
class TurnedClock extends SystemClock {
  private readonly waiting = new Set<{ readonly delayMs: number; readonly fire: () => void }>();

  override timeout(delayMs: number, work: () => void): () => void {
    const cancel = super.timeout(delayMs, () => fire());
    const waiting = { delayMs, fire: (): void => fire() };
    const fire = (): void => {
      if (!this.waiting.delete(waiting)) return;
      cancel();
      work();
    };
    this.waiting.add(waiting);
    return () => {
      this.waiting.delete(waiting);
      cancel();
    };
  }

  /** Runs now what was to run within so long; what that schedules again waits anew. */
  turn(ms: number): void {
    for (const { delayMs, fire } of [...this.waiting]) if (delayMs <= ms) fire();
  }
}

/** A payment waits for so long here; a claim lasts 15 seconds more, and the request renews it every third of that. */
const WAIT_SECONDS = 60;
const RENEWED_WITHIN_MS = 25_000;

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let clock: TurnedClock;
let keys = 0;
let key: string;

beforeAll(async () => {
  clock = new TurnedClock();
  app = await createTestApp({ clock, env: { PAYMENT_WAIT_SECONDS: String(WAIT_SECONDS) } });
  fixture = new Fixture(app);
  alice = await fixture.user({ sats: 10_000 });
});
beforeEach(() => (key = `key ${++keys}`));
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

type Outside = Awaited<ReturnType<Fixture['outside']>>;
type Answer = GraphQLAnswer<{ one: { status: string }; two: { status: string } }>;

const slow = (): Promise<Outside> => fixture.outside(100, { hold: true });
const asking =
  (one: Outside, two: Outside): (() => Promise<Answer>) =>
  () => {
    const payment = ({ paymentRequest }: Outside): object => ({ walletId: alice.wallets.BTC, paymentRequest });
    const invoice = { walletId: alice.wallets.BTC, amount: 7, memo: key };
    return graphql(app.url, DOCUMENT, { invoice, one: payment(one), two: payment(two) }, { ...alice.as('write'), 'idempotency-key': key });
  };
const underway = ({ paymentHash }: Outside): Promise<unknown> =>
  eventually(
    async () =>
      (await app.pool.query("SELECT 1 FROM payment WHERE payment_hash = $1 AND state = 'in_flight'", [paymentHash])).rows.length === 1,
  );
const invoices = async (): Promise<number> => (await app.pool.query('SELECT 1 FROM invoice WHERE memo = $1', [key])).rows.length;
/** Seconds until the last of the running claims ends. */
const left = async (): Promise<number> =>
  (
    await app.pool.query<{ left: number }>(
      "SELECT max(extract(epoch FROM claimed_until - now()))::float8 AS left FROM idempotency WHERE state = 'running'",
    )
  ).rows[0]?.left ?? NaN;
const claimEnds = (inSeconds: number): Promise<unknown> =>
  app.pool.query("UPDATE idempotency SET claimed_until = now() + make_interval(secs => $1) WHERE state = 'running'", [inSeconds]);

it('a request that runs longer than its lease renews it: a repeat waits, and nothing happens twice', async () => {
  const [one, two] = [await slow(), await slow()];
  const ask = asking(one, two);
  const first = ask();
  await underway(one);
  // As after the whole wait for the first payment; the second one is still to come.
  await claimEnds(5);
  clock.turn(RENEWED_WITHIN_MS);
  await eventually(async () => (await left()) > WAIT_SECONDS);
  await fixture.release(one.paymentHash);
  await underway(two);
  await claimEnds(5);
  clock.turn(RENEWED_WITHIN_MS);
  await eventually(async () => (await left()) > WAIT_SECONDS);
  const repeat = ask();
  await fixture.release(two.paymentHash);
  expect((await first).data).toMatchObject({ one: { status: 'SUCCESS' }, two: { status: 'SUCCESS' } });
  expect(await repeat).toEqual(await first);
  expect(await invoices()).toBe(1);
});

it('the answer of a process whose claim was taken over is not stored', async () => {
  const [one, two] = [await slow(), await slow()];
  const ask = asking(one, two);
  const first = ask();
  await underway(one);
  await claimEnds(-1);
  const second = ask();
  await underway(two);
  await fixture.release(one.paymentHash);
  // The first request ends while the second one still runs.
  expect((await first).data).toMatchObject({ one: { status: 'SUCCESS' }, two: { status: 'PENDING' } });
  const third = ask();
  await fixture.release(two.paymentHash);
  expect((await second).data).toMatchObject({ one: { status: 'PENDING' }, two: { status: 'SUCCESS' } });
  expect(await third).toEqual(await second);
  expect(await ask()).toEqual(await second);
  expect(app.logs.some((line) => line.includes('idempotency_response_discarded'))).toBe(true);
});

describe('a claim', () => {
  const service = (): IdempotencyService => app.get(IdempotencyService);
  const claim = async (): Promise<Extract<Awaited<ReturnType<IdempotencyService['claim']>>, { kind: 'mine' }>> => {
    const verdict = await service().claim(Buffer.from(key), Buffer.from('this'));
    if (verdict.kind !== 'mine') throw new Error(verdict.kind);
    return verdict;
  };
  const row = async (): Promise<unknown> =>
    (await app.pool.query('SELECT state, claim, answer, claimed_until FROM idempotency WHERE scope = $1', [Buffer.from(key)])).rows[0];

  it('that was lost cannot be renewed, answered or released', async () => {
    const lost = await claim();
    await claimEnds(-1);
    const taken = await claim();
    expect(taken.since).toBe(lost.since);
    const before = await row();
    await service().keep(lost.claim, { data: { from: 'the first' } });
    await service().release(lost.claim);
    expect(await row()).toEqual(before);
    await service().keep(taken.claim, { data: { from: 'the second' } });
    await service().release(lost.claim);
    expect(await service().claim(Buffer.from(key), Buffer.from('this'))).toEqual({
      kind: 'replay',
      answer: { data: { from: 'the second' } },
    });
  });

  it('that was released is not renewed, and the next claim has the same attempt', async () => {
    const first = await claim();
    await service().release(first.claim);
    const second = await claim();
    expect(second.since).toBe(first.since);
    service().abandon(second.claim);
    key = `key ${++keys}`;
    const other = await claim();
    await claimEnds(5);
    clock.turn(RENEWED_WITHIN_MS);
    await eventually(async () => (await left()) > WAIT_SECONDS);
    await service().release(other.claim);
    expect(await left()).toBeLessThanOrEqual(5);
    await service().release(second.claim);
  });
});
