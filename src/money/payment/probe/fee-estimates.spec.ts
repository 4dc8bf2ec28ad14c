import { Clock } from '../../../platform/kernel/clock.js';
import type { FeeProbe, FeeProbeRequest, LightningNode } from '../../lightning/index.js';
import { FeeEstimates } from './fee-estimates.js';

/** The database's clock is set back while time passes. */
class HandClock extends Clock {
  ms = 0;
  now(): number {
    return -this.ms;
  }
  override elapsed(): number {
    return this.ms;
  }
  timeout(): () => void {
    return () => undefined;
  }
}

const REQUEST: FeeProbeRequest = { paymentRequest: 'lnbcrt1', amountMsat: 1_000n, feeLimitMsat: 10n };

describe('estimates of fees', () => {
  let clock: HandClock;
  let answer: FeeProbe;
  let asked: FeeProbeRequest[];
  let estimates: FeeEstimates;

  beforeEach(() => {
    clock = new HandClock();
    asked = [];
    answer = { status: 'known', feeMsat: 3n };
    const node = { probeFee: (request: FeeProbeRequest) => (asked.push(request), Promise.resolve(answer)) } as unknown as LightningNode;
    estimates = new FeeEstimates(node, clock);
  });

  it.each<FeeProbe>([{ status: 'known', feeMsat: 3n }, { status: 'no_route' }])('are kept for seconds: %j', async (probe) => {
    answer = probe;
    expect(await estimates.find(REQUEST, 'alice')).toEqual(probe);
    clock.ms = 4_999;
    expect(await estimates.find(REQUEST, 'alice')).toEqual(probe);
    expect(asked).toHaveLength(1);
    clock.ms = 5_000;
    await estimates.find(REQUEST, 'alice');
    expect(asked).toHaveLength(2);
  });

  it.each(['unknown', 'unsupported'] as const)('are not kept where the node answers %s', async (status) => {
    answer = { status };
    await estimates.find(REQUEST, 'alice');
    await estimates.find(REQUEST, 'alice');
    expect(asked).toHaveLength(2);
  });

  it('differ by text, amount and fee limit', async () => {
    const others = [
      { ...REQUEST, paymentRequest: 'lnbcrt2' },
      { ...REQUEST, amountMsat: 2_000n },
      { ...REQUEST, feeLimitMsat: 11n },
    ];
    for (const request of [REQUEST, ...others]) await estimates.find(request, 'alice');
    expect(asked).toEqual([REQUEST, ...others]);
  });

  it('are kept for a bounded number of payments, the latest', async () => {
    const requests = Array.from({ length: 2_001 }, (_, i) => ({ ...REQUEST, amountMsat: BigInt(i) }));
    for (const request of requests) await estimates.find(request, 'alice');
    asked.splice(0);
    for (const request of [requests[2_000], requests[1], requests[0]]) await estimates.find(request as FeeProbeRequest, 'alice');
    expect(asked).toEqual([requests[0]]);
  });

  it('of one caller use half of the calls to the node, and leave the others to other callers', async () => {
    const of = (n: number): FeeProbeRequest => ({ ...REQUEST, amountMsat: BigInt(n) });
    let end: (probe: FeeProbe) => void = () => undefined;
    const hanging = new Promise<FeeProbe>((resolve) => (end = resolve));
    const node = { probeFee: (request: FeeProbeRequest) => (asked.push(request), hanging) } as unknown as LightningNode;
    estimates = new FeeEstimates(node, clock);
    const waiting = Array.from({ length: 40 }, (_, n) => estimates.find(of(n), 'alice'));
    expect(asked).toHaveLength(16);
    // Of an amount that the node is asked about already, the answer is shared.
    const shared = estimates.find(of(0), 'bob');
    const own = estimates.find(of(100), 'bob');
    expect(asked).toHaveLength(17);
    end(answer);
    expect(await Promise.all([shared, own])).toEqual([answer, answer]);
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ status }) => status === 'unknown')).toHaveLength(24);
    await estimates.find(of(39), 'alice');
    expect(asked).toHaveLength(18);
  });
});
