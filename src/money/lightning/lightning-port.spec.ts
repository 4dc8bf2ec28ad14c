import { SystemClock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import type { LightningBackend } from './lightning-backend.js';
import { LightningNode } from './lightning-node.js';
import type { LightningCapability } from './lightning-port.js';
import { LightningSettings } from './lightning.settings.js';

class Acme {}

/** A back end that states this; its methods fail the test. */
function declared(stated: object): LightningNode {
  const backend = Object.assign(new Acme(), stated) as unknown as LightningBackend;
  return new LightningNode(backend, new LightningSettings(), new SystemClock(), new Metrics());
}

const of = (...names: LightningCapability[]): ReadonlySet<LightningCapability> => new Set(names);
const HASH = 'ab'.repeat(32);
const UNSUPPORTED = { status: 'unsupported' };

describe('a back end is refused at the start', () => {
  it.each([
    [
      'for another version',
      { portVersion: 2, capabilities: of('own_preimage', 'settle_index') },
      'Acme was made for version 2 of the port, and this Sluice has version 1',
    ],
    [
      'for no version',
      { capabilities: of('own_preimage', 'settle_index') },
      'Acme was made for no stated version of the port, and this Sluice has version 1',
    ],
    ['without capabilities', { portVersion: 1 }, 'Acme does not state its capabilities'],
    [
      'whose invoices have preimages of its own',
      { portVersion: 1, capabilities: of('settle_index') },
      'Acme cannot make an invoice of a preimage that the caller chooses (own_preimage), and Sluice needs that of every back end',
    ],
    [
      'that can do nothing',
      { portVersion: 1, capabilities: of() },
      'Acme cannot make an invoice of a preimage that the caller chooses (own_preimage), nor stream the settlements from a cursor on (settle_index), and',
    ],
  ])('%s', (_, stated, sentence) => {
    expect(() => declared(stated)).toThrow(sentence);
  });
});

it('a method of a capability that the back end does not declare is not called', async () => {
  const node = declared({ portVersion: 1, capabilities: of('own_preimage', 'settle_index') });
  const request = { paymentRequest: 'lnbc1', paymentHash: HASH, amountMsat: 1n, feeLimitMsat: 1n, timeoutSeconds: 1 };
  expect(await node.cancelInvoice(HASH)).toBe('unsupported');
  expect(await node.probeFee(request)).toEqual(UNSUPPORTED);
  expect(await node.latestPaymentIndex()).toBe('unsupported');
  expect(await node.listPayments(0n, 1)).toEqual(UNSUPPORTED);
  expect(await node.channelBalance()).toEqual(UNSUPPORTED);
  // It would be paid whatever the route costs.
  expect(await node.pay(request)).toEqual({ status: 'not_sent' });
});
