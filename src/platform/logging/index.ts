export { Log, LOG_EVENTS, LogInterval } from './log.js';
export { PinoLogger } from './pino-logger.js';
