export { ChainSimulator, MAX_MINED_BLOCKS, MAX_REORGANISED_BLOCKS } from './chain-simulator.js';
export { ChainStore } from './chain.store.js';
export { SimulatedWallet } from './simulated-wallet.js';
