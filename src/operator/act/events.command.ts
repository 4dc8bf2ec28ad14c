import { ConsumerStore } from '../../platform/events/index.js';
import { BECAUSE_OPTION, CommandError, commandsOf, listed, type ResultCommand } from '../command/index.js';

const changeCommand = (verb: 'replay' | 'forget', summary: string, done: string): ResultCommand => ({
  name: `events ${verb}`,
  arguments: '<consumer>',
  summary,
  options: BECAUSE_OPTION,
  async run(call) {
    const name = call.argument;
    if (!(await call.get(ConsumerStore)[verb](name, call.recording())))
      throw new CommandError(`There is no consumer "${name}". See: events list`);
    return { found: { consumer: name }, lines: [`Consumer ${name} ${done}.`] };
  },
});

export const eventsCommands = commandsOf(
  {
    name: 'events list',
    summary: 'Lists the durable consumers of extensions: how far behind they are, and what they could not handle',
    run: async (call) =>
      listed(
        await call.get(ConsumerStore).list(),
        ({ name, topic, state, lagSeconds, deadLetters, attempts, error }) =>
          `${name} ${topic} ${state} ${Math.round(lagSeconds)} s behind, ${deadLetters} dead letters` +
          (error === null ? '' : `, next event failed ${attempts} times: ${error}`),
        'No extension has a durable consumer.',
      ),
  },
  changeCommand(
    'replay',
    'Handles the dead letters of a consumer again; starts one that is stopped (overrun) with the oldest event that is kept',
    'handles its dead letters again',
  ),
  changeCommand('forget', 'Deletes the position and the dead letters of a consumer whose extension you have removed', 'is forgotten'),
);
