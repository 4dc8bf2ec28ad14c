import { Clock } from '../kernel/clock.js';
import type { FeeProbe, FeeProbeRequest, LightningNode } from '../lightning/index.js';
import { FeeEstimates } from './fee-estimates.js';

class HandClock extends Clock {
  ms = 0;
  now(): number {
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
    expect(await estimates.find(REQUEST)).toEqual(probe);
    clock.ms = 4_999;
    expect(await estimates.find(REQUEST)).toEqual(probe);
    expect(asked).toHaveLength(1);
    clock.ms = 5_000;
    await estimates.find(REQUEST);
    expect(asked).toHaveLength(2);
  });

  it.each(['unknown', 'unsupported'] as const)('are not kept where the node answers %s', async (status) => {
    answer = { status };
    await estimates.find(REQUEST);
    await estimates.find(REQUEST);
    expect(asked).toHaveLength(2);
  });

  it('differ by text, amount and fee limit', async () => {
    const others = [
      { ...REQUEST, paymentRequest: 'lnbcrt2' },
      { ...REQUEST, amountMsat: 2_000n },
      { ...REQUEST, feeLimitMsat: 11n },
    ];
    for (const request of [REQUEST, ...others]) await estimates.find(request);
    expect(asked).toEqual([REQUEST, ...others]);
  });

  it('are kept for a bounded number of payments, the latest', async () => {
    const requests = Array.from({ length: 2_001 }, (_, i) => ({ ...REQUEST, amountMsat: BigInt(i) }));
    for (const request of requests) await estimates.find(request);
    asked.splice(0);
    for (const request of [requests[2_000], requests[1], requests[0]]) await estimates.find(request as FeeProbeRequest);
    expect(asked).toEqual([requests[0]]);
  });
});
