export { LndBackend } from './lnd-backend.js';
export { checkLnd, type LndFinding } from './lnd-check.js';
