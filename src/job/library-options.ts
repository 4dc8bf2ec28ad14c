import { Logger, type LogFunctionFactory, type SharedOptions } from 'graphile-worker';
import { Log } from '../logging/index.js';

type LogMeta = Parameters<ReturnType<LogFunctionFactory>>[2];

/** A failed job has a line of Sluice's own, and that the workers share a connection is intended. */
const isKnown = (meta: LogMeta): boolean => meta?.['failure'] === true || meta?.['concurrency'] !== undefined;

/** What graphile-worker logs as warnings and errors. */
function libraryLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if ((level !== 'error' && level !== 'warning') || isKnown(meta)) return;
    log.warn('job_worker_warning', {}, `The job workers report: ${message.split('\n')[0] ?? ''}`);
  });
}

/** The options of every use of the library: its log is Sluice's, and the signals of the process are not its business. */
export const libraryOptions = (): SharedOptions & { noHandleSignals: true } => ({
  logger: libraryLogger(new Log('Jobs')),
  noHandleSignals: true,
});
