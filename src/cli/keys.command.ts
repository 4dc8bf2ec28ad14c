import { SigningKeys } from '../oauth/index.js';
import { printResult, JSON_OPTION, type Command } from './command.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    summary: 'Replaces the key that signs ID tokens. The old keys stay published for 25 hours',
    options: JSON_OPTION,
    async run(app, args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow();
      printResult(args, print, { kid, signsFrom }, [
        `Signing key ${kid} is published and signs from ${signsFrom.toISOString()}. The old keys stay published for 25 hours.`,
      ]);
    },
  },
];
