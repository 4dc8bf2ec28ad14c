export { FAULTS_IN_WORDS, parseFaults, type Faults } from './faults.js';
export { LightningSimulator, type Balances, type OutsideInvoice } from './lightning-simulator.js';
export { SimulatorBackend } from './simulator-backend.js';
export { SimulatorStore } from './simulator.store.js';
