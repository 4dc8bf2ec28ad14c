export { AbsentNode } from './absent-node.js';
export * from './bolt11/index.js';
export * from './lightning-backend.js';
export { LIGHTNING_CAPABILITIES, LIGHTNING_PORT_VERSION, type LightningCapability } from './lightning-port.js';
export { checkLnd } from './lnd.js';
export { LightningNode } from './lightning-node.js';
export { LightningModule } from './lightning.module.js';
export { LightningSimulator, FAULTS_IN_WORDS, parseFaults, type Balances, type Faults, type OutsideInvoice } from './simulator/index.js';
