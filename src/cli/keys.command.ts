import { SigningKeys } from '../oauth/index.js';
import { answer, type Command } from './command.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    usage: '[--json]',
    summary: 'Replaces the key that signs ID tokens. The old keys stay published for 25 hours',
    async run(app, args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow();
      answer(args, print, { kid, signsFrom }, [
        `Signing key ${kid} is published and signs from ${signsFrom.toISOString()}. The old keys stay published for 25 hours.`,
      ]);
    },
  },
];
