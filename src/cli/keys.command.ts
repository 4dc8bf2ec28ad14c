import { SigningKeys } from '../access/oauth/index.js';
import { BECAUSE_OPTION, reasonIn } from './because.js';
import { printResult, JSON_OPTION, type Command } from './command.js';
import { recording } from './recording.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    summary: 'Replaces the key that signs ID tokens. The old keys stay published for 25 hours',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow(recording(app, { action: 'keys rotate', because: reasonIn(args) }));
      printResult(args, print, { kid, signsFrom }, [
        `Signing key ${kid} is published and signs from ${signsFrom.toISOString()}. The old keys stay published for 25 hours.`,
      ]);
    },
  },
];
