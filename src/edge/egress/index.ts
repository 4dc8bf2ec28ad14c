export { EgressModule } from './egress.module.js';
export { EgressClient, type EgressResult } from './egress-client.js';
export type { EgressRefusal } from './address-rules.js';
export { EgressSettings } from './egress.settings.js';
