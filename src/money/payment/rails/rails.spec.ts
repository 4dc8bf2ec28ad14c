import type { PaymentKind } from '../payment.entity.js';
import type { IntraLedgerRail } from './intraledger.js';
import type { OnChainRail } from './onchain.js';
import type { LightningRail } from './lightning.js';
import { PaymentRails } from './rails.js';

const node = { isReady: false, asked: [] as unknown[] };
const lightning = {
  send: () => Promise.resolve(undefined),
  get isReady() {
    return node.isReady;
  },
  status: (payment: unknown) => Promise.resolve({ status: 'in_flight', of: node.asked.push(payment) }),
} as unknown as LightningRail;
const rails = new PaymentRails(lightning, {} as IntraLedgerRail, { isQueued: true } as OnChainRail);
const status = async (kind: string): Promise<string> =>
  (await rails.status({ kind: kind as PaymentKind, paymentHash: 'ab', nodeId: 'n' })).status;

beforeEach(() => node.asked.splice(0));

describe('the rails', () => {
  it('can be asked when one that sends can', () => {
    expect(rails.areReady).toBe(false);
    node.isReady = true;
    expect(rails.areReady).toBe(true);
  });

  it('ask the rail that has sent a payment of this kind', async () => {
    expect(await status('ln')).toBe('in_flight');
    expect(node.asked).toEqual([{ paymentHash: 'ab', nodeId: 'n' }]);
  });

  it('know nothing of a kind that sends nothing, and of one that a newer release has begun', async () => {
    expect(await status('intraledger')).toBe('unknown');
    expect(await status('onchain')).toBe('unknown');
    expect(node.asked).toEqual([]);
  });
});
