import { Logger } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { LightningNode } from './lightning-node.js';
import { LIGHTNING_CAPABILITIES, type LightningCapability } from './lightning-port.js';
import type { LightningBackend, PaymentRequest, PayResult, SettledPayment } from './lightning-backend.js';
import { LightningSettings } from './lightning.settings.js';

/** A clock that moves only when the test turns it; the database's is set back meanwhile. */
class TurnedClock extends Clock {
  private nowMs = 0;
  private waiting: { atMs: number; work: () => void }[] = [];

  now(): number {
    return -this.nowMs;
  }

  override elapsed(): number {
    return this.nowMs;
  }

  timeout(delayMs: number, work: () => void): () => void {
    const entry = { atMs: this.nowMs + delayMs, work };
    this.waiting.push(entry);
    return () => (this.waiting = this.waiting.filter((other) => other !== entry));
  }

  turn(ms: number): void {
    this.nowMs += ms;
    for (const { atMs, work } of this.waiting) if (atMs <= this.nowMs) work();
    this.waiting = this.waiting.filter(({ atMs }) => atMs > this.nowMs);
  }

  get timers(): number {
    return this.waiting.length;
  }
}

const LIMITS = { LIGHTNING_CALL_SECONDS: 5, callsInProgress: 2, paymentsInProgress: 1 };
const EVERYTHING = new Set(Object.keys(LIGHTNING_CAPABILITIES) as LightningCapability[]);
const UNKNOWN = { status: 'unknown' };
const SETTLED: SettledPayment = { status: 'settled', preimage: 'ab'.repeat(32), feeMsat: 1n };
const REQUEST: PaymentRequest = { paymentRequest: 'lnbc1', paymentHash: 'cd', amountMsat: 1n, feeLimitMsat: 1n, timeoutSeconds: 30 };

function wrapped(
  backend: Partial<LightningBackend>,
  limits: Partial<typeof LIMITS> = {},
): { node: LightningNode; clock: TurnedClock; metrics: Metrics } {
  const [clock, metrics] = [new TurnedClock(), new Metrics()];
  const settings = Object.assign(new LightningSettings(), LIMITS, limits);
  return {
    node: new LightningNode({ portVersion: 1, capabilities: EVERYTHING, ...backend } as LightningBackend, settings, clock, metrics),
    clock,
    metrics,
  };
}
const never = <T>(): Promise<T> => new Promise(() => undefined);
const fails = (): never => {
  throw new Error('no connection');
};

beforeAll(() => Logger.overrideLogger(false));

describe('a call to the node', () => {
  it('returns the answer of the back end, and leaves no timer behind', async () => {
    const { node, clock } = wrapped({ lookupPayment: async () => SETTLED, cancelInvoice: async () => 'cancelled' });
    expect(await node.lookupPayment('cd')).toEqual(SETTLED);
    expect(await node.cancelInvoice('cd')).toBe('cancelled');
    expect(clock.timers).toBe(0);
  });

  it.each<[string, (node: LightningNode) => Promise<unknown>, unknown]>([
    ['info', (node) => node.info(), UNKNOWN],
    ['createInvoice', (node) => node.createInvoice({ amountMsat: 1n, expirySeconds: 60, preimage: 'ab' }), UNKNOWN],
    ['cancelInvoice', (node) => node.cancelInvoice('cd'), 'unknown'],
    ['lookupInvoice', (node) => node.lookupInvoice('cd'), UNKNOWN],
    ['lookupPayment', (node) => node.lookupPayment('cd'), UNKNOWN],
    ['latestPaymentIndex', (node) => node.latestPaymentIndex(), 'unknown'],
    ['listPayments', (node) => node.listPayments(0n, 1), UNKNOWN],
    ['probeFee', (node) => node.probeFee(REQUEST), UNKNOWN],
    ['channelBalance', (node) => node.channelBalance(), UNKNOWN],
  ])('%s is unknown when the back end hangs, throws or returns undefined', async (name, call, unknown) => {
    const { node, clock } = wrapped({ [name]: never });
    const hanging = call(node);
    clock.turn(5_000);
    expect(await hanging).toEqual(unknown);
    expect(await call(wrapped({ [name]: fails }).node)).toEqual(unknown);
    expect(await call(wrapped({ [name]: async () => fails() }).node)).toEqual(unknown);
    expect(await call(wrapped({ [name]: async () => undefined }).node)).toEqual(unknown);
  });

  it('counts against the concurrency limit until its answer or deadline, and shows in the metrics', async () => {
    const { node, clock, metrics } = wrapped({ lookupPayment: never });
    const hanging = [node.lookupPayment('a'), node.lookupPayment('b')];
    expect(await metrics.text()).toContain('sluice_lightning_calls_in_progress{call="lookupPayment"} 2');
    expect(await node.lookupPayment('c')).toEqual(UNKNOWN);
    clock.turn(5_000);
    expect(await Promise.all(hanging)).toEqual([UNKNOWN, UNKNOWN]);
    const text = await metrics.text();
    expect(text).toContain('sluice_lightning_calls_in_progress{call="lookupPayment"} 0');
    expect(text).toContain('sluice_lightning_call_faults_total{call="lookupPayment",fault="too_many"} 1');
    expect(text).toContain('sluice_lightning_call_faults_total{call="lookupPayment",fault="late"} 2');
  });
});

describe('pay', () => {
  it('waits until its caller’s or the call’s deadline; a later settlement is reported, and no other outcome', async () => {
    const answers: ((result: PayResult) => void)[] = [];
    const { node, clock } = wrapped({ pay: () => new Promise((resolve) => answers.push(resolve)) });
    for (const late of [SETTLED, { status: 'failed', reason: 'error' }, { status: 'not_sent' }] as const) {
      const heard: SettledPayment[] = [];
      const paying = node.pay(REQUEST, 'alice', (settled) => heard.push(settled));
      clock.turn(34_999);
      expect(clock.timers).toBe(1);
      clock.turn(1);
      expect(await paying).toEqual(UNKNOWN);
      answers.pop()?.(late);
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toEqual(late === SETTLED ? [SETTLED] : []);
    }
  });

  it('takes at most half of the slots for one payer, and releases them', async () => {
    const { node, clock } = wrapped({ pay: never }, { paymentsInProgress: 9 });
    let refused = 0;
    const pay = (payer: string): void => void node.pay(REQUEST, payer).then(({ status }) => (refused += status === 'not_sent' ? 1 : 0));
    const refusedOf = async (payer: string): Promise<number> => {
      refused = 0;
      for (let n = 0; n < 9; n++) pay(payer);
      await new Promise((resolve) => setImmediate(resolve));
      return refused;
    };
    expect([await refusedOf('alice'), await refusedOf('bob'), await refusedOf('carol')]).toEqual([4, 7, 8]);
    clock.turn(35_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await refusedOf('bob')).toBe(4);
  });

  it('returns notSent without calling the back end when no slot is free', async () => {
    const pay = jest.fn(() => never<PayResult>());
    const { node } = wrapped({ pay });
    void node.pay(REQUEST);
    expect(await node.pay(REQUEST)).toEqual({ status: 'not_sent' });
    expect(pay).toHaveBeenCalledTimes(1);
  });
});

describe('a stream from the node', () => {
  const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of stream) items.push(item);
    return items;
  };

  it('ends with its signal although the back end continues', async () => {
    const listening = new AbortController();
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => never<IteratorResult<never>>() }) };
    const outcomes = collect(wrapped({ paymentOutcomes: () => silent }).node.paymentOutcomes(listening.signal));
    listening.abort();
    expect(await outcomes).toEqual([]);
  });

  it('breaks off without throwing when the back end throws', async () => {
    const outcome = { ...SETTLED, paymentHash: 'cd' };
    async function* broken(): AsyncGenerator<typeof outcome> {
      yield outcome;
      fails();
    }
    const { signal } = new AbortController();
    const { node, metrics } = wrapped({ paymentOutcomes: broken, invoiceSettlements: fails });
    expect(await collect(node.paymentOutcomes(signal))).toEqual([outcome]);
    expect(await collect(node.invoiceSettlements(0n, signal))).toEqual([]);
    expect(await metrics.text()).toContain('sluice_lightning_call_faults_total{call="paymentOutcomes",fault="threw"} 1');
  });
});
