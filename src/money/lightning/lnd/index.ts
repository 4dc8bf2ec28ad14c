export { LndBackend, type AskLnd } from './lnd-backend.js';
export { checkLnd, type LndFinding } from './lnd-check.js';
export type { LndLease, LndTransaction } from './lnd-wallet-calls.js';
