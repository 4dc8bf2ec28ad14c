import { AppService } from '../../access/oauth/index.js';
import { SessionService } from '../../access/session/index.js';
import { commandsOf, hasOption, required } from '../command/index.js';
import { userNamed } from './named.js';
import { BECAUSE_OPTION, becauseIn, recording } from './recording.js';

export const signOutCommands = commandsOf({
  name: 'user sign-out',
  summary: 'Ends all sessions of a user, who can sign in again; API keys and apps keep working without --apps and "key revoke"',
  arguments: '<username-or-e-mail>',
  requiredOptions: BECAUSE_OPTION,
  options: { '--apps': 'disconnects the apps of the user too' },
  async run(app, args) {
    const because = becauseIn(args);
    const { id, username } = await userNamed(app, required(args, 'The username or e-mail address'));
    const apps = hasOption(args, 'apps') ? await app.get(AppService).list(id) : [];
    const sessions = await app.get(SessionService).endAll(id, (tx, ended) => {
      const details = { username, sessions: ended, apps: apps.map((each) => each.id) };
      return recording(app, { action: 'user sign-out', because, details })(tx, id);
    });
    for (const each of apps) await app.get(AppService).revoke(id, each.id);
    return {
      found: { id, username, sessions, apps: apps.length },
      lines: [`${username}: ${sessions} sessions ended, ${apps.length} apps disconnected.`],
    };
  },
});
