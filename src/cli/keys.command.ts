import { SigningKeys } from '../oauth/index.js';
import { answer, type Command } from './command.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    usage: '[--json]',
    summary: 'Exchanges the key that signs ID tokens now; the old ones stay published until what they signed has ended',
    async run(app, args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow();
      answer(args, print, { kid, signsFrom }, [
        `The signing key ${kid} is published, and signs from ${signsFrom.toISOString()} on. The keys before it stay published for 25 hours.`,
      ]);
    },
  },
];
