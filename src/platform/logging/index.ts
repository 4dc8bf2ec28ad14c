export { Log } from './log.js';
export { LogInterval } from './log-interval.js';
export { LOG_EVENTS } from './log-event.js';
export { PinoLogger } from './pino-logger.js';
