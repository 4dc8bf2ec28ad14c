import { ConsumerStore } from '../platform/events/index.js';
import { BECAUSE_OPTION, recordingIn } from './recording.js';
import { CommandError, JSON_OPTION, printResult, required, type Command } from './command.js';

export const eventsCommands: readonly Command[] = [
  {
    name: 'events list',
    summary: 'Lists the durable consumers of extensions: how far behind they are, and what they could not handle',
    options: JSON_OPTION,
    async run(app, args, print) {
      const consumers = await app.get(ConsumerStore).list();
      const lines = consumers.map(
        ({ name, topic, state, lagSeconds, deadLetters, attempts, error }) =>
          `${name} ${topic} ${state} ${Math.round(lagSeconds)} s behind, ${deadLetters} dead letters` +
          (error === null ? '' : `, next event failed ${attempts} times: ${error}`),
      );
      printResult(args, print, consumers, lines.length > 0 ? lines : ['No extension has a durable consumer.']);
    },
  },
  {
    name: 'events replay',
    arguments: '<consumer>',
    summary: 'Handles the dead letters of a consumer again; starts one that is stopped (overrun) with the oldest event that is kept',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const name = required(args, 'The name of a consumer');
      if (!(await app.get(ConsumerStore).replay(name, recordingIn(app, args, 'events replay'))))
        throw new CommandError(`There is no consumer "${name}". See: events list`);
      printResult(args, print, { consumer: name }, [`Consumer ${name} handles its dead letters again.`]);
    },
  },
  {
    name: 'events forget',
    arguments: '<consumer>',
    summary: 'Deletes the position and the dead letters of a consumer whose extension you have removed',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const name = required(args, 'The name of a consumer');
      if (!(await app.get(ConsumerStore).forget(name, recordingIn(app, args, 'events forget'))))
        throw new CommandError(`There is no consumer "${name}". See: events list`);
      printResult(args, print, { consumer: name }, [`Consumer ${name} is forgotten.`]);
    },
  },
];
