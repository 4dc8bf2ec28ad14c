export { FAULTS_IN_WORDS, parseFaults, type Faults } from './faults.js';
export {
  LightningSimulator,
  type Balances,
  type OutsideInvoice,
  type OutsideInvoiceParams,
  type OutsidePayment,
  type OutsideRefusal,
  type SimulatedPayment,
} from './lightning-simulator.js';
export { SimulatorBackend } from './simulator-backend.js';
export { SimulatorWorld } from './world.js';
