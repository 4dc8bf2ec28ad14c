export { Log, type LogFields } from './log.js';
export { LogInterval } from './log-interval.js';
export { LOG_EVENTS, type LogEvent } from './log-event.js';
export { PinoLogger } from './pino-logger.js';
