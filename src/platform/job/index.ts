export type { JobClass } from './job-class.js';
export { JobModule } from './job.module.js';
export { givenBack, JobStore, type ClaimedJob, type JobDetails, type JobEnd } from './job.store.js';
export { JobWorkers } from './job-workers.js';
export { Jobs } from './jobs.js';
export { Leaders } from './leaders.js';
export type { AddOptions, JobHandler, JobRun, JobSchedule, ScheduleHandler, TaskOptions } from './task.js';
