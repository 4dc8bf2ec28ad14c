import { JobStore, type JobDetails } from '../platform/job/index.js';
import { BECAUSE_OPTION, recordingIn } from './recording.js';
import { CommandError, hasOption, JSON_OPTION, printResult, required, UsageError, type Arguments, type Command } from './command.js';

const MAX_ID = 2n ** 63n - 1n;

function idIn(args: Arguments): string {
  const id = required(args, 'The number of a job');
  if (!/^\d{1,19}$/.test(id) || BigInt(id) > MAX_ID) throw new UsageError(`"${id}" is not the number of a job. See: jobs list`);
  return id;
}

const attemptsOf = ({ attempts, maxAttempts }: JobDetails): string =>
  maxAttempts === null ? `attempts: ${attempts}` : `attempts: ${attempts} of ${maxAttempts}`;

export const jobsCommands: readonly Command[] = [
  {
    name: 'jobs list',
    summary: 'Lists the jobs that are due, wait, run or have failed for good: at most a thousand, those that are due first',
    options: { '--failed': 'only those that have failed in their last attempt', ...JSON_OPTION },
    async run(app, args, print) {
      const jobs = await app.get(JobStore).list({ failed: hasOption(args, 'failed') });
      const lines = jobs.map((job) => {
        const { id, task, state, runAt, error } = job;
        return `${id} ${task} ${state} at ${runAt.toISOString()}, ${attemptsOf(job)}` + (error === null ? '' : `: ${error}`);
      });
      printResult(args, print, jobs, lines.length > 0 ? lines : ['There are no such jobs.']);
    },
  },
  {
    name: 'jobs retry',
    arguments: '<id>',
    summary: 'Runs a job now, also one that has failed for good; it has all its attempts again',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const id = idIn(args);
      if (!(await app.get(JobStore).retry(id, recordingIn(app, args, 'jobs retry'))))
        throw new CommandError(`There is no job ${id}, or it is running. See: jobs list`);
      printResult(args, print, { job: id }, [`Job ${id} runs again.`]);
    },
  },
  {
    name: 'jobs forget',
    arguments: '<id>',
    summary: 'Deletes a job that is not running',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const id = idIn(args);
      if (!(await app.get(JobStore).forget(id, recordingIn(app, args, 'jobs forget'))))
        throw new CommandError(`There is no job ${id}, or it is running. See: jobs list`);
      printResult(args, print, { job: id }, [`Job ${id} is forgotten.`]);
    },
  },
];
