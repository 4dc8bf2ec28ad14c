export { JobModule } from './job.module.js';
export { JobStore, UNLIMITED_ATTEMPTS, type JobDetails } from './job.store.js';
export { jobTables } from './job-schema.js';
export { Jobs } from './jobs.js';
export { Leaders } from './leaders.js';
export type { AddOptions, JobHandler, JobRun, JobSchedule, ScheduleHandler, TaskOptions } from './task.js';
