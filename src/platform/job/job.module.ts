import { Global, Module } from '@nestjs/common';
import { JobExecution } from './job-execution.js';
import { JobStore } from './job.store.js';
import { JobWorkers } from './job-workers.js';
import { Jobs } from './jobs.js';
import { Leaders } from './leaders.js';

@Global()
@Module({ providers: [JobExecution, JobStore, Jobs, JobWorkers, Leaders], exports: [Jobs, JobStore, JobWorkers, Leaders] })
export class JobModule {}
