export { ClockWatch } from './clock.watch.js';
export { HEALTH_PATHS } from './health-hook.js';
export { HealthModule } from './health.module.js';
export { Readiness } from './readiness.js';
export { reportUncaught } from './process.watch.js';
