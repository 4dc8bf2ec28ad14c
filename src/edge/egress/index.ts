export { EgressModule } from './egress.module.js';
export { EgressClient, type EgressResult } from './egress-client.js';
export { EgressSettings } from './egress.settings.js';
