export { LndBackend } from './lnd-backend.js';
export { bakeLine, checkLnd, type LndFinding } from './lnd-check.js';
