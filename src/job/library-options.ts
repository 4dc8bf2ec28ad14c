import { Logger, type SharedOptions } from 'graphile-worker';
import { Log } from '../logging/index.js';

/** What graphile-worker logs as warnings and errors; a failed job has a line of Sluice's own. */
function libraryLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if ((level !== 'error' && level !== 'warning') || meta?.['failure'] === true) return;
    log.warn('job_worker_warning', {}, `The job workers report: ${message.split('\n')[0] ?? ''}`);
  });
}

/** The options of every use of the library: its log is Sluice's, and the signals of the process are not its business. */
export const libraryOptions = (): SharedOptions & { noHandleSignals: true } => ({
  logger: libraryLogger(new Log('Jobs')),
  noHandleSignals: true,
});
