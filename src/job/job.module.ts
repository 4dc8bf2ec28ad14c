import { Global, Module } from '@nestjs/common';
import { JobExecution } from './job-execution.js';
import { JobStore } from './job.store.js';
import { JobWorkers } from './job-workers.js';
import { Jobs } from './jobs.js';

/** Work that survives a crash or runs on a schedule, by graphile-worker. */
@Global()
@Module({ providers: [JobExecution, JobStore, Jobs, JobWorkers], exports: [Jobs, JobStore] })
export class JobModule {}
