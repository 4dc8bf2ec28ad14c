import {
  INVITATION_HOURS,
  InvitationService,
  MAX_LISTED_INVITATIONS,
  RegistrationSettings,
  type InvitationRow,
} from '../../access/user/index.js';
import { operatorName, CommandError, commandsOf, hoursIn, listed, required, text } from '../command/index.js';

const line = ({ id, state, createdAt, expiresAt, username, note }: InvitationRow): string =>
  [id, state.padEnd(7), `created ${createdAt.toISOString()}`, `expires ${expiresAt.toISOString()}`, username && `by ${username}`, note]
    .filter(Boolean)
    .join('  ');

export const invitationCommands = commandsOf(
  {
    name: 'invitation create',
    summary: 'Creates an invitation to register, for REGISTRATION=invite; prints its link and code once',
    options: {
      '--expires-in-hours <hours>': `when it expires (default ${INVITATION_HOURS.default}, at most ${INVITATION_HOURS.max})`,
      '--note <text>': 'your own words, such as who it is for; only operators see them',
    },
    async run(app, args) {
      const [service, { REGISTRATION: registration }] = [app.get(InvitationService), app.get(RegistrationSettings)];
      const note = text(args, 'note')?.trim() ?? '';
      const outcome = await service.create({ expiresInHours: hoursIn(args, INVITATION_HOURS.default), note, who: operatorName(app) });
      if (outcome.kind === 'invalid') throw new CommandError(outcome.message);
      if (outcome.kind === 'too_many')
        throw new CommandError(`There are ${outcome.limit} open invitations, the most that are kept. Revoke some with "invitation revoke"`);
      const { invitation, code } = outcome;
      const { id, expiresAt } = invitation;
      const link = service.linkOf(code);
      const lines = [`link: ${link}`, `code: ${code}`, `id: ${id}`, `expires: ${expiresAt.toISOString()}`];
      if (registration !== 'invite')
        lines.push(`REGISTRATION is ${registration} in this environment: the server accepts invitations with "invite" only.`);
      return { found: { id, link, code, note, expiresAt, registration }, lines };
    },
  },
  {
    name: 'invitation list',
    summary: `Lists invitations, open ones first, without their codes; at most ${MAX_LISTED_INVITATIONS}`,
    async run(app) {
      const invitations = await app.get(InvitationService).list();
      const more = invitations.length === MAX_LISTED_INVITATIONS ? [`Only ${MAX_LISTED_INVITATIONS} are shown.`] : [];
      return listed(invitations, line, 'No invitations.', more);
    },
  },
  {
    name: 'invitation revoke',
    summary: 'Revokes an open invitation: its link and code stop working at once',
    arguments: '<id>',
    async run(app, args) {
      const outcome = await app.get(InvitationService).revoke(required(args, 'The invitation’s id'), operatorName(app));
      if (outcome.kind === 'not_found') throw new CommandError('No invitation with this id; "invitation list" shows them');
      if (outcome.kind === 'ended_already') throw new CommandError(`This invitation has already ended: ${outcome.invitation.state}`);
      return { found: outcome.invitation, lines: [line(outcome.invitation)] };
    },
  },
);
