import { JobStore, type JobDetails } from '../../platform/job/index.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  isRowNumber,
  listed,
  UsageError,
  type OperatorCall,
  type ResultCommand,
} from '../command/index.js';

function idIn(call: OperatorCall): string {
  const id = call.argument;
  if (!isRowNumber(id)) throw new UsageError(`"${id}" is not the number of a job. See: jobs list`);
  return id;
}

const line = ({ id, task, state, runAt, attempts, maxAttempts, error }: JobDetails): string =>
  `${id} ${task} ${state} at ${runAt.toISOString()}, attempts: ${attempts}` +
  (maxAttempts === null ? '' : ` of ${maxAttempts}`) +
  (error === null ? '' : `: ${error}`);

const changeCommand = (verb: 'retry' | 'forget', summary: string, done: string, running: string): ResultCommand => ({
  name: `jobs ${verb}`,
  arguments: '<id>',
  summary,
  options: BECAUSE_OPTION,
  async run(call) {
    const id = idIn(call);
    if (!(await call.get(JobStore)[verb](id, call.recording())))
      throw new CommandError(`There is no job ${id}, ${running}. See: jobs list`);
    return { found: { job: id }, lines: [`Job ${id} ${done}.`] };
  },
});

export const jobsCommands = commandsOf(
  {
    name: 'jobs list',
    summary: 'Lists the jobs that are due, wait, run or have failed for good: at most a thousand, those that are due first',
    options: { '--failed': 'only those that have failed in their last attempt' },
    run: async (call) => listed(await call.get(JobStore).list({ failed: call.has('failed') }), line, 'There are no such jobs.'),
  },
  changeCommand(
    'retry',
    'Runs a job now, also one that has failed for good; it has all its attempts again',
    'runs again',
    'or it is running',
  ),
  changeCommand(
    'forget',
    'Deletes a job that is not running, and that no server runs on a schedule',
    'is forgotten',
    'it is running, or a server runs it on a schedule',
  ),
);
