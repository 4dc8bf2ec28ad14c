export { Log, LOG_EVENTS, LogInterval } from './log.js';
export { RefusalLog } from './refusal-log.js';
export { PinoLogger } from './pino-logger.js';
