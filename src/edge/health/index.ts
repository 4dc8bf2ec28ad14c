export { ClockWatch } from './clock.watch.js';
export { HealthModule } from './health.module.js';
export { namingHolder, waitForLeaving } from './port-holder.js';
export { Readiness } from './readiness.js';
export { reportUncaught } from './process.watch.js';
