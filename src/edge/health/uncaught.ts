import { Log } from '../../platform/logging/index.js';

/**
 * Node would end the process at a rejected promise that nothing awaits: one forgotten `await` of an extension would stop every payment,
 * and again after each restart. After an exception the state of the process is unknown, so Node ends it.
 */
export function reportUncaught(): void {
  const log = new Log('Process');
  process.on('unhandledRejection', (error) =>
    log.error('process_unhandled_rejection', {}, 'A promise that nothing awaits was rejected; the server continues', error),
  );
  process.on('uncaughtExceptionMonitor', (error) =>
    log.error('process_uncaught_exception', {}, 'Nothing catches an exception; the process ends', error),
  );
}
