import { randomBytes } from 'node:crypto';
import { encodeInvoice } from '../../src/money/lightning/index.js';
import { lightningBackendContract } from '../../src/testing/lightning-backend-contract.js';
import { simulatorFaults, SimulatorFixture } from '../lightning/simulator-fixture.js';

const hex32 = (): string => randomBytes(32).toString('hex');

describe('the simulator is a Lightning back end', () => {
  lightningBackendContract(async () => {
    const fixture = await SimulatorFixture.create();
    const { backend, simulator } = await fixture.start();
    return {
      backend,
      network: 'regtest',
      invoiceOfOther: async (amountMsat) => (await simulator.createOutsideInvoice({ amountMsat })).paymentRequest,
      // Signed by a node that the simulated world does not know.
      invoiceOutOfReach: (amountMsat) => {
        const invoice = { network: 'regtest', amountMsat, paymentHash: hex32(), paymentSecret: hex32(), description: '' } as const;
        return Promise.resolve(encodeInvoice({ ...invoice, createdAtSeconds: Math.floor(Date.now() / 1000) }, randomBytes(32)));
      },
      ...simulatorFaults(simulator),
      close: () => fixture.destroy(),
    };
  });
});
