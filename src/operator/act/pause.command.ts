import { AccessPauseService } from '../../access/user/index.js';
import { CommandError, commandsOf, type ResultCommand } from '../command/index.js';
import { BECAUSE_OPTION, becauseIn, recording } from './recording.js';

const changeCommand = (verb: 'pause' | 'resume', summary: string, already: string): ResultCommand => ({
  name: verb,
  summary,
  requiredOptions: BECAUSE_OPTION,
  async run(app, args) {
    const record = recording(app, { action: verb, because: becauseIn(args) });
    if (!(await app.get(AccessPauseService)[verb](null, 'operator', (tx) => record(tx, 'all')))) throw new CommandError(already);
    return { found: { access: `${verb}d` }, lines: [`Access of all API keys and apps is ${verb}d.`] };
  },
});

export const pauseCommands = commandsOf(
  changeCommand(
    'pause',
    'Refuses the API keys and apps of all users with ACCESS_PAUSED, within a second, and holds webhooks; payments in flight end as usual',
    'Access is paused already',
  ),
  changeCommand('resume', 'Ends "pause": what users themselves have paused stays so', 'Access is not paused by "pause"'),
);
