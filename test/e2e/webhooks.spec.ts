import { Webhook } from 'standardwebhooks';
import { WebhookService } from '../../src/money/webhook/index.js';
import { JobStore } from '../../src/platform/job/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';
import { WebhookReceiver, type ReceivedDelivery } from '../support/webhook-receiver.js';

const SEND = `mutation ($from: WalletId!, $to: WalletId!, $memo: Memo) {
  intraLedgerPaymentSend(input: { walletId: $from, recipientWalletId: $to, amount: 7, memo: $memo }) { status } }`;

/** A response that a test gives later. */
function gate(): [release: (status: number) => void, response: Promise<number>] {
  let release: (status: number) => void = () => undefined;
  const response = new Promise<number>((resolve) => (release = resolve));
  return [release, response];
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

describe('a webhook', () => {
  let app: TestApp;
  let fixture: Fixture;
  let receiver: WebhookReceiver;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name = 'webhook'`)).rowCount === 1);
  });
  beforeEach(async () => (receiver = await WebhookReceiver.start()));
  afterEach(async () => {
    await fixture.expectBalanced();
    receiver.stop();
    // In the lock order of webhook functions: an attempt may be ending.
    await app.pool.query(`DELETE FROM job WHERE task = 'webhook'; DELETE FROM webhook_endpoint; DELETE FROM job_owner`);
  });
  afterAll(() => app.close());

  const webhooks = (): WebhookService => app.get(WebhookService);
  async function endpoint(path = '/', of = alice): Promise<Endpoint> {
    // Earlier events of the account must not arrive at a new endpoint.
    await eventually(async () => {
      const { rows } = await app.pool.query(`SELECT FROM event_consumer c WHERE c.name = 'webhook'
          AND NOT EXISTS (SELECT FROM event e JOIN event_position p ON p.event_id = e.id WHERE p.position > c.position AND 'transaction.changed' = ANY (e.topics))`);
      return rows.length === 1;
    });
    const added = await webhooks().add(of.accountId, receiver.url(path));
    if (added.kind !== 'added') throw new Error(added.kind);
    return added;
  }
  async function send(from: Person, to: Person, memo = 'lunch'): Promise<void> {
    const variables = { from: from.wallets.BTC, to: to.wallets.BTC, memo };
    expect(await dataOf(app.url, SEND, variables, from.as('write'))).toEqual({ intraLedgerPaymentSend: { status: 'SUCCESS' } });
  }
  const verify = ({ body, headers }: ReceivedDelivery, secret: string): unknown =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  /** Every attempt that waits is due now; an attempt that a process makes at this moment is not made twice. */
  const hurry = (): Promise<void> => new TimeTravel(app).webhooksAreDue();
  const stateOf = async ({ id }: Endpoint): Promise<[string, number][]> =>
    (await webhooks().deliveriesOf(id)).toReversed().map(({ state, attempts }) => [state, attempts]);

  describe('of a payment', () => {
    it('is posted to the recipient and the sender of an internal transfer', async () => {
      await endpoint('/alice');
      await endpoint('/bob', bob);
      await send(alice, bob);
      const [sent] = await receiver.until(1, '/alice');
      const [received] = await receiver.until(1, '/bob');
      expect(sent?.event).toEqual({
        accountId: alice.accountId,
        eventType: 'send.intraledger',
        walletId: alice.wallets.BTC,
        transaction: {
          id: expect.any(String) as string,
          walletId: alice.wallets.BTC,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          status: 'success',
          memo: 'lunch',
          externalId: null,
          settlementAmount: -7,
          settlementFee: 0,
          settlementCurrency: 'BTC',
          settlementDisplayAmount: expect.stringMatching(/^-?\d\.\d\d$/) as string,
          settlementDisplayFee: '0.00',
          settlementDisplayPrice: {
            base: expect.stringMatching(/^\d+$/) as string,
            offset: '12',
            displayCurrency: 'USD',
            walletCurrency: 'BTC',
          },
          initiationVia: { type: 'intraledger', counterPartyWalletId: bob.wallets.BTC, counterPartyUsername: bob.username },
          settlementVia: { type: 'intraledger', counterPartyWalletId: bob.wallets.BTC, counterPartyUsername: bob.username, preImage: null },
        },
      });
      expect(received?.event).toMatchObject({
        accountId: bob.accountId,
        eventType: 'receive.intraledger',
        transaction: { settlementAmount: 7, initiationVia: { counterPartyUsername: alice.username } },
      });
    });

    it('of a Lightning receipt has the preimage and the external id', async () => {
      await endpoint();
      const { paymentRequest, paymentHash } = await alice.invoice(21, 'tea', { externalId: 'order-7' });
      await fixture.simulator.payOutside(paymentRequest);
      const [{ event }] = (await receiver.until(1)) as [ReceivedDelivery];
      expect(event).toMatchObject({
        eventType: 'receive.lightning',
        transaction: {
          status: 'success',
          memo: 'tea',
          externalId: 'order-7',
          settlementAmount: 21,
          initiationVia: { type: 'lightning', paymentHash, pubkey: expect.stringMatching(/^0[23][0-9a-f]{64}$/) as string },
          settlementVia: { type: 'lightning', revealedPreImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
        },
      });
    });

    it('of a Lightning send comes for each state, in order', async () => {
      await endpoint();
      const invoice = await fixture.outside(30, { hold: true });
      const paid = alice.pay(invoice.paymentRequest);
      await receiver.until(1);
      await fixture.release(invoice.paymentHash);
      await paid;
      const deliveries = await receiver.until(2);
      expect(deliveries.map(({ event, headers }) => [event.eventType, event.transaction.status, headers['webhook-sequence']])).toEqual([
        ['send.lightning', 'pending', '1'],
        ['send.lightning', 'success', '2'],
      ]);
      expect(deliveries.map(({ event }) => event.transaction.settlementVia.revealedPreImage as string)).toEqual([null, invoice.preimage]);
    });

    it('of a failed Lightning send ends with its failure', async () => {
      await endpoint();
      const invoice = await fixture.outside(30, { hold: true });
      const paid = alice.pay(invoice.paymentRequest);
      await receiver.until(1);
      await fixture.release(invoice.paymentHash, 'no_route');
      await paid;
      expect((await receiver.until(2)).map(({ event }) => event.transaction.status as string)).toEqual(['pending', 'failure']);
    });

    it('is not sent for an account of level ZERO', async () => {
      await endpoint('/alice');
      await endpoint('/bob', bob);
      await app.pool.query(`UPDATE account SET level = 'ZERO' WHERE id = $1`, [alice.accountId]);
      await send(alice, bob);
      await receiver.until(1, '/bob');
      await app.pool.query(`UPDATE account SET level = 'ONE' WHERE id = $1`, [alice.accountId]);
      expect(receiver.at('/alice')).toEqual([]);
      expect((await app.pool.query('SELECT FROM webhook_delivery')).rowCount).toBe(1);
    });
  });

  describe('is signed', () => {
    it('after Standard Webhooks, under both names', async () => {
      const { secret } = await endpoint();
      await send(alice, bob);
      const [delivery] = (await receiver.until(1)) as [ReceivedDelivery];
      expect(verify(delivery, secret)).toEqual(delivery.event);
      const { headers } = delivery;
      for (const name of ['id', 'timestamp', 'signature']) expect(headers[`svix-${name}`]).toBe(headers[`webhook-${name}`]);
      expect(() => verify({ ...delivery, body: delivery.body.replace('lunch', 'lynch') }, secret)).toThrow('No matching signature found');
    });

    it('with both secrets after a rotation, and with the new one alone when the overlap is over', async () => {
      const made = await endpoint();
      const secret = (await webhooks().rotate(alice.accountId, made.id)) ?? '';
      await send(alice, bob);
      const [during] = (await receiver.until(1)) as [ReceivedDelivery];
      for (const each of [made.secret, secret]) expect(verify(during, each)).toEqual(during.event);
      await app.pool.query(`UPDATE webhook_endpoint SET previous_until = now() - interval '1 second'`);
      await send(alice, bob);
      const [, after] = (await receiver.until(2)) as [ReceivedDelivery, ReceivedDelivery];
      expect(verify(after, secret)).toEqual(after.event);
      expect(() => verify(after, made.secret)).toThrow('No matching signature found');
      expect(await webhooks().rotate((await fixture.user()).accountId, made.id)).toBeNull();
    });
  });

  describe('is delivered', () => {
    it('at once, while failed ones are repeated beside', async () => {
      const made = await endpoint();
      receiver.answer = ({ event }) => (event.transaction.memo === '2' && receiver.deliveries.length < 4 ? 500 : 204);
      for (const memo of ['1', '2', '3']) await send(alice, bob, memo);
      await receiver.until(3);
      await eventually(async () => (await stateOf(made)).filter(([state]) => state === 'delivered').length === 2);
      // The attempts end in any order.
      await eventually(async () => (await webhooks().deliveriesOf(made.id))[1]?.lastStatus === 500);
      const memos = receiver.deliveries.map(({ event }) => event.transaction.memo as string);
      expect(memos.toSorted()).toEqual(['1', '2', '3']);
      expect((await webhooks().deliveriesOf(made.id))[1]).toMatchObject({
        state: 'waiting',
        lastStatus: 500,
        lastError: 'status',
      });
      await hurry();
      const again = (await receiver.until(4))[3] as ReceivedDelivery;
      expect(again.headers['webhook-id']).toBe(receiver.deliveries[memos.indexOf('2')]?.headers['webhook-id']);
      await eventually(async () => (await stateOf(made)).every(([state]) => state === 'delivered'));
      expect(await stateOf(made)).toEqual([
        ['delivered', 1],
        ['delivered', 2],
        ['delivered', 1],
      ]);
    });

    it.each(['long', 'endless', 'cut'] as const)('once to a receiver that answers 200 with a body that is %s', async (kind) => {
      const made = await endpoint();
      let closed = 0;
      receiver.respond = (response) => {
        response.once('close', () => closed++).writeHead(200);
        if (kind === 'long') response.end('x'.repeat(2 ** 21));
        else response.write('x'.repeat(kind === 'endless' ? 2 ** 17 : 1), () => kind === 'cut' && response.destroy());
      };
      await send(alice, bob);
      await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
      await hurry();
      expect(await stateOf(made)).toEqual([['delivered', 1]]);
      await eventually(() => closed === 1);
      expect(receiver.deliveries).toHaveLength(1);
      const { rows } = await app.pool.query('SELECT last_status, last_error FROM webhook_delivery');
      expect(rows).toEqual([{ last_status: 200, last_error: null }]);
    });

    it('nine times at most, and then it is failed', async () => {
      const made = await endpoint();
      receiver.answer = () => 500;
      await send(alice, bob);
      await eventually(async () => {
        await hurry();
        return (await stateOf(made))[0]?.[0] === 'failed';
      });
      expect(await stateOf(made)).toEqual([['failed', 9]]);
      expect(receiver.deliveries).toHaveLength(9);
      const { rows } = await app.pool.query('SELECT waiting FROM webhook_endpoint');
      expect(rows).toEqual([{ waiting: 0 }]);
      expect((await app.pool.query(`SELECT FROM job WHERE task = 'webhook'`)).rowCount).toBe(0);
    });

    it('after pauses that add up to two days', async () => {
      await endpoint();
      receiver.answer = () => 503;
      await send(alice, bob);
      const pauses: number[] = [];
      for (let attempts = 1; attempts <= 8; attempts++) {
        pauses.push(
          await eventually(async () => {
            const { rows } = await app.pool.query<{ pause: number }>(
              `SELECT round(extract(epoch FROM next_at - last_attempt_at))::int AS pause FROM webhook_delivery WHERE attempts = $1`,
              [attempts],
            );
            return rows[0]?.pause;
          }),
        );
        await hurry();
      }
      expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000]);
    });

    it('again with the same id after its process has died in an attempt', async () => {
      const made = await endpoint();
      // What a process leaves that died between its claim and the end of its attempt.
      await app.pool.query(`CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.claim := gen_random_uuid(); NEW.attempts := 1; NEW.run_at := now() + interval '1 hour'; RETURN NEW; END $$`);
      await app.pool.query(`CREATE TRIGGER dies BEFORE INSERT ON job FOR EACH ROW WHEN (NEW.task = 'webhook') EXECUTE FUNCTION dies()`);
      await send(alice, bob, '1');
      await eventually(async () => (await app.pool.query('SELECT FROM webhook_delivery')).rowCount === 1);
      await app.pool.query('DROP TRIGGER dies ON job');
      // A claim that is not over delays no other delivery.
      await send(alice, bob, '2');
      await receiver.until(1);
      await new TimeTravel(app).webhookClaimsAreOver();
      expect((await receiver.until(2)).map(({ event }) => event.transaction.memo as string)).toEqual(['2', '1']);
      const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM webhook_delivery ORDER BY sequence DESC');
      expect(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).toEqual(rows.map(({ id }) => id));
      await eventually(async () => (await stateOf(made)).every(([state]) => state === 'delivered'));
    });

    it('once each when sessions of the database end at any moment', async () => {
      const made = await endpoint();
      const ENDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ '(webhook_(enqueue|finish)|job_claim)'`;
      for (let n = 1; n <= 10; n++) {
        await send(alice, bob, String(n));
        await app.pool.query(ENDS);
      }
      // A claim lasts for half a minute, and this receiver answers at once: five seconds later, the answer to a claim was lost.
      const LOST = `UPDATE job SET run_at = now() WHERE task = 'webhook' AND claim IS NOT NULL AND run_at < now() + interval '25 seconds'`;
      await eventually(async () => {
        await app.pool.query(LOST);
        await hurry();
        const states = await stateOf(made);
        return states.length === 10 && states.every(([state]) => state === 'delivered');
      });
      const ids = new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(10);
    });

    it('once although the session that stores its end is ended', async () => {
      const made = await endpoint();
      let answer: (status: number) => void = () => undefined;
      receiver.answer = () => new Promise((resolve) => (answer = resolve));
      await send(alice, bob, '1');
      await receiver.until(1);
      const other = await app.pool.connect();
      await other.query('BEGIN; SELECT FROM webhook_endpoint FOR UPDATE');
      receiver.answer = () => 204;
      answer(204);
      const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'webhook_finish' AND wait_event_type = 'Lock'`;
      await eventually(async () => (await app.pool.query(END)).rowCount === 1);
      await other.query('ROLLBACK');
      other.release();
      await send(alice, bob, '2');
      await eventually(async () => (await stateOf(made)).filter(([state]) => state === 'delivered').length === 2);
      expect(receiver.deliveries.map(({ event }) => event.transaction.memo as string)).toEqual(['1', '2']);
    });

    it('by another process after this one has stopped in the middle', async () => {
      await endpoint();
      const beside = await createTestApp({ beside: app });
      let arrived = 0;
      receiver.answer = () => (++arrived === 1 ? new Promise<number>(() => undefined) : 204);
      await send(alice, bob);
      await receiver.until(1);
      await beside.close();
      await new TimeTravel(app).webhookClaimsAreOver();
      const [first, second] = await receiver.until(2);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    });

    it('although another endpoint does not respond', async () => {
      receiver.answer = ({ path }) => (path === '/slow' ? new Promise<number>(() => undefined) : 204);
      await endpoint('/slow');
      await endpoint('/quick', bob);
      for (const memo of ['1', '2', '3']) await send(alice, bob, memo);
      await receiver.until(3, '/quick');
    });

    it('not to an address that is not public, whatever its name resolved to when it was added', async () => {
      const made = await endpoint();
      await app.pool.query(`UPDATE webhook_endpoint SET url = 'https://10.0.0.1/'`);
      await send(alice, bob);
      await eventually(async () => (await stateOf(made))[0]?.[1] === 1);
      expect(await webhooks().deliveriesOf(made.id)).toEqual([
        expect.objectContaining({ state: 'waiting', lastStatus: null, lastError: 'address_not_public' }),
      ]);
    });
  });

  describe('that has ended', () => {
    it('is replayed for its owner only, once at a time', async () => {
      const made = await endpoint();
      receiver.answer = () => 500;
      await send(alice, bob);
      await eventually(async () => (await stateOf(made))[0]?.[1] === 1);
      const [delivery] = await webhooks().deliveriesOf(made.id);
      const id = delivery?.id ?? '';
      receiver.answer = () => 204;
      await hurry();
      await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
      expect(await webhooks().replay(bob.accountId, id)).toBe('not_found');
      expect(await webhooks().replay(alice.accountId, 'no id')).toBe('not_found');
      expect(await webhooks().replay(alice.accountId, id)).toBe('replayed');
      const [, , again] = await receiver.until(3);
      expect(again?.headers['webhook-id']).toBe(id);
      await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
      expect(await webhooks().find(bob.accountId, made.id)).toBeNull();
    });

    it('is not replayed while an attempt of before is in flight', async () => {
      const made = await endpoint();
      const [release, isReleased] = gate();
      receiver.answer = () => isReleased;
      await send(alice, bob);
      await receiver.until(1);
      const [delivery] = await webhooks().deliveriesOf(made.id);
      await app.pool.query('SELECT webhook_disable($1)', [made.id]);
      expect(await stateOf(made)).toEqual([['failed', 0]]);
      expect(await webhooks().replay(alice.accountId, delivery?.id ?? '')).toBe('waiting');
      release(204);
      await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
      expect(receiver.deliveries).toHaveLength(1);
      expect(await webhooks().list(alice.accountId)).toMatchObject([{ waiting: 0 }]);
    });

    it('goes with its endpoint, also while it waits', async () => {
      const made = await endpoint();
      receiver.answer = () => 500;
      await send(alice, bob);
      await eventually(async () => (await stateOf(made))[0]?.[1] === 1);
      expect(await webhooks().delete(alice.accountId, made.id)).toBe(true);
      expect((await app.pool.query('SELECT FROM webhook_delivery')).rowCount).toBe(0);
    });
  });

  describe('that waits', () => {
    /** After two failed attempts the next one is minutes away. */
    async function waitsForMinutes(made: Endpoint): Promise<string> {
      receiver.answer = () => 500;
      await send(alice, bob);
      await eventually(async () => (await stateOf(made))[0]?.[1] === 1);
      await hurry();
      await eventually(async () => (await stateOf(made))[0]?.[1] === 2);
      return (await webhooks().deliveriesOf(made.id))[0]?.id ?? '';
    }

    it('is sent now for its owner, once for any number of calls, and not beside an attempt that is in flight', async () => {
      const made = await endpoint();
      const id = await waitsForMinutes(made);
      expect(await webhooks().replay(bob.accountId, id)).toBe('not_found');
      const [release, isReleased] = gate();
      receiver.answer = () => isReleased;
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => webhooks().replay(alice.accountId, id)));
      expect(outcomes).toContain('replayed');
      await receiver.until(3);
      expect(await Promise.all(Array.from({ length: 8 }, () => webhooks().replay(alice.accountId, id)))).toEqual(Array(8).fill('waiting'));
      expect(await stateOf(made)).toEqual([['waiting', 2]]);
      release(204);
      await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
      expect(await stateOf(made)).toEqual([['delivered', 3]]);
      expect(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
      expect(await webhooks().list(alice.accountId)).toMatchObject([{ waiting: 0 }]);
      expect((await app.pool.query(`SELECT FROM job WHERE task = 'webhook'`)).rowCount).toBe(0);
    });

    it('is sent now also at a full endpoint, and begins a new series of pauses', async () => {
      const made = await endpoint();
      const id = await waitsForMinutes(made);
      await app.pool.query('UPDATE webhook_endpoint SET waiting = 10000');
      expect(await webhooks().replay(alice.accountId, id)).toBe('replayed');
      await receiver.until(3);
      await eventually(async () => (await stateOf(made))[0]?.[1] === 3);
      const pause = 'SELECT round(extract(epoch FROM next_at - last_attempt_at))::int AS pause FROM webhook_delivery';
      expect((await app.pool.query(pause)).rows).toEqual([{ pause: 5 }]);
      expect(await webhooks().list(alice.accountId)).toMatchObject([{ waiting: 10_000 }]);
    });

    it('is sent by another process once the claim of one that has died is over', async () => {
      const made = await endpoint();
      const id = await waitsForMinutes(made);
      const claimed = `UPDATE job SET claim = gen_random_uuid(), run_at = now() + $1::interval WHERE key = $2`;
      await app.pool.query(claimed, ['1 hour', id]);
      expect(await webhooks().replay(alice.accountId, id)).toBe('waiting');
      await app.pool.query(claimed, ['-1 second', id]);
      expect(await webhooks().replay(alice.accountId, id)).toBe('replayed');
      await receiver.until(3);
    });
  });

  it('that is a test goes to one endpoint, is signed, and moves nothing', async () => {
    const [made, other] = [await endpoint('/one'), await endpoint('/other')];
    expect(await webhooks().sendTest(bob.accountId, made.id)).toBe('not_found');
    for (const unknown of ['no id', '00000000-0000-4000-8000-000000000000'])
      expect(await webhooks().sendTest(alice.accountId, unknown)).toBe('not_found');
    expect(await webhooks().sendTest(alice.accountId, made.id)).toBe('replayed');
    const [delivery] = (await receiver.until(1, '/one')) as [ReceivedDelivery];
    expect(verify(delivery, made.secret)).toEqual({ accountId: alice.accountId, eventType: 'webhook.test' });
    expect(delivery.headers['webhook-sequence']).toBe('1');
    await eventually(async () => (await stateOf(made))[0]?.[0] === 'delivered');
    expect(await webhooks().deliveriesOf(made.id)).toMatchObject([{ eventType: 'webhook.test', attempts: 1, lastError: null }]);
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 10000');
    expect(await webhooks().sendTest(alice.accountId, made.id)).toBe('too_many');
    expect((await webhooks().deliveriesOf(made.id))[0]).toMatchObject({ state: 'failed', attempts: 0, lastError: 'queue_full' });
    expect([await stateOf(other), receiver.at('/other')]).toEqual([[], []]);
  });

  it('to a disabled endpoint is one attempt where it is a test', async () => {
    const made = await endpoint();
    await app.pool.query('SELECT webhook_disable($1)', [made.id]);
    receiver.answer = () => 500;
    expect(await webhooks().sendTest(alice.accountId, made.id)).toBe('replayed');
    await receiver.until(1);
    await eventually(async () => (await stateOf(made))[0]?.[0] === 'failed');
    expect(await webhooks().list(alice.accountId)).toMatchObject([{ waiting: 0, lastStatus: 500, disabledAt: expect.any(Date) as Date }]);
  });

  it('leaves at its endpoint how the latest attempt ended, and since when attempts fail', async () => {
    const made = await endpoint();
    const health = async () => (await webhooks().list(alice.accountId))[0];
    const until = (status: number) => eventually(async () => ((await health())?.lastStatus === status ? await health() : undefined));
    expect(await health()).toMatchObject({ lastAttemptAt: null, lastStatus: null, lastError: null, failingSince: null });
    await send(alice, bob);
    expect(await until(204)).toMatchObject({ lastError: null, failingSince: null, lastAttemptAt: expect.any(Date) as Date });
    receiver.answer = () => 503;
    await send(alice, bob);
    const first = await until(503);
    expect(first).toMatchObject({ lastError: 'status', failingSince: first.lastAttemptAt });
    receiver.answer = () => 502;
    await send(alice, bob);
    const second = await until(502);
    expect(second.failingSince).toEqual(first.failingSince);
    expect(second.lastAttemptAt).not.toEqual(first.lastAttemptAt);
    await app.pool.query(`UPDATE webhook_endpoint SET url = 'https://10.0.0.1/'`);
    await hurry();
    await eventually(async () => (await health())?.lastError === 'address_not_public');
    expect(await health()).toMatchObject({ lastStatus: null, failingSince: first.failingSince });
    await app.pool.query('UPDATE webhook_endpoint SET url = $1', [receiver.url()]);
    receiver.answer = () => 200;
    await eventually(async () => (await hurry(), (await stateOf(made)).every(([state]) => state === 'delivered')));
    expect(await health()).toMatchObject({ lastStatus: 200, lastError: null, failingSince: null, waiting: 0 });
    receiver.answer = () => 410;
    await send(alice, bob);
    const disabled = await until(410);
    expect(disabled).toMatchObject({ failingSince: expect.any(Date) as Date, disabledAt: expect.any(Date) as Date });
    expect(await webhooks().sendTest(alice.accountId, made.id)).toBe('replayed');
    await eventually(async () => (await health())?.lastAttemptAt?.getTime() !== disabled.lastAttemptAt?.getTime());
    expect(await health()).toMatchObject({ lastStatus: 410, disabledAt: disabled.disabledAt });
  });

  it('that waits is no job of the operator: no alert on jobs counts it, and no command forgets it', async () => {
    const made = await endpoint();
    receiver.answer = () => 500;
    await send(alice, bob);
    await eventually(async () => (await stateOf(made))[0]?.[1] === 1);
    const { rows } = await app.pool.query<{ id: string }>(`SELECT id::text FROM job WHERE task = 'webhook'`);
    expect(rows).toHaveLength(1);
    const jobs = app.get(JobStore);
    expect((await jobs.list()).filter(({ task }) => task === 'webhook')).toEqual([]);
    expect(await jobs.forget(rows[0]?.id ?? '')).toBe(false);
  });

  it('that finds its endpoint full has failed, and can be replayed', async () => {
    const made = await endpoint();
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 10000');
    await send(alice, bob);
    await eventually(async () => (await stateOf(made)).length === 1);
    const [delivery] = await webhooks().deliveriesOf(made.id);
    expect(delivery).toMatchObject({ state: 'failed', attempts: 0, lastError: 'queue_full' });
    expect(await webhooks().replay(alice.accountId, delivery?.id ?? '')).toBe('too_many');
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 0');
    expect(await webhooks().replay(alice.accountId, delivery?.id ?? '')).toBe('replayed');
    await receiver.until(1);
  });
});
