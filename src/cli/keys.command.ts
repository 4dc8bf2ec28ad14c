import { SigningKeys } from '../oauth/index.js';
import type { Command } from './command.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    usage: '',
    summary: 'Exchanges the key that signs ID tokens now; the old ones stay published until what they signed has ended',
    async run(app, _args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow();
      print(
        `The signing key ${kid} is published, and signs from ${signsFrom.toISOString()} on. The keys before it stay published for 25 hours.`,
      );
    },
  },
];
