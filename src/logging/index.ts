export { Log, type LogFields } from './log.js';
export { LOG_EVENTS, type LogEvent } from './log-event.js';
export { PinoLogger } from './pino-logger.js';
