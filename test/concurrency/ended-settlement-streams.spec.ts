import { once } from 'node:events';
import type { SettlementBookingService } from '../../src/money/invoice/settlement/settlement-booking.service.js';
import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import type { SettlementStore } from '../../src/money/invoice/settlement/settlement.store.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { Loops } from '../../src/platform/loop/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import type { Leaders } from '../../src/platform/job/index.js';
import type { LightningNode } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';

describe('a settlement stream that has ended', () => {
  it('leaves no work behind: the next one reports locked settlements again', async () => {
    const streams: AbortSignal[] = [];
    const node = {
      nodeId: 'node',
      info: async () => ({ status: 'ready', nodeId: 'node' }),
      async *invoiceSettlements(_index: bigint, signal: AbortSignal) {
        streams.push(signal);
        if (streams.length > 1) await once(signal, 'abort');
      },
    };
    const store = { cursorOf: async () => ({ settleIndex: 0n, settleHash: null, epoch: 0 }) };
    const loops = new Loops(new SystemClock(), new Metrics());
    const leaders: Pick<Leaders, 'loop'> = { loop: (options) => void loops.run(options) };
    void new SettlementStreamService(
      store as unknown as SettlementStore,
      {} as SettlementBookingService,
      node as unknown as LightningNode,
      leaders as Leaders,
    );
    loops.onApplicationBootstrap();
    try {
      await eventually(() => streams.length === 2);
      expect(streams.map(({ aborted }) => aborted)).toEqual([true, false]);
    } finally {
      await loops.onApplicationShutdown();
    }
  });
});
