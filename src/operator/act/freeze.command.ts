import { PaymentFreezeService, type FreezeReason, type PaymentFreezeRow } from '../../money/payment/index.js';
import { accountNamed } from './named.js';
import { operatorName, CommandError, commandsOf, listed, MAX_ROWS, type Arguments, type OperatorContext } from '../command/index.js';
import { BECAUSE_OPTION, becauseIn } from './recording.js';

async function subjectIn(app: OperatorContext, { positionals: [name] }: Arguments): Promise<string | null> {
  return name === undefined ? null : accountNamed(app, name);
}

const reasonIn = (app: OperatorContext, args: Arguments): FreezeReason => ({ who: operatorName(app), because: becauseIn(args) });

const nameOf = (accountId: string | null): string => (accountId === null ? 'all accounts' : `account ${accountId}`);

const STOPPED_BY = { audit: 'a failed audit', operator: 'an operator', reconciliation: 'the comparison with the node' } as const;

const line = ({ subject, cause, since, because }: PaymentFreezeRow): string =>
  `${subject === 'all' ? 'all accounts' : subject}  since ${since.toISOString()}  by ${STOPPED_BY[cause]}: ${because}`;

export const freezeCommands = commandsOf(
  {
    name: 'freeze',
    summary: 'Stops the sends of an account, or of all accounts; payments in flight end as usual, and payments arrive',
    arguments: '[account]',
    requiredOptions: BECAUSE_OPTION,
    details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
    async run(app, args) {
      const [reason, accountId] = [reasonIn(app, args), await subjectIn(app, args)];
      const outcome = await app.get(PaymentFreezeService).freeze(accountId, 'operator', reason);
      const said = outcome === 'frozen' ? 'Stopped' : 'Stopped already';
      return { found: { account: accountId, outcome }, lines: [`${said}: the sends of ${nameOf(accountId)}.`] };
    },
  },
  {
    name: 'thaw',
    summary: 'Allows the sends of an account, or of all accounts, again, also after a failed audit',
    arguments: '[account]',
    requiredOptions: BECAUSE_OPTION,
    async run(app, args) {
      const [reason, accountId] = [reasonIn(app, args), await subjectIn(app, args)];
      const freezes = app.get(PaymentFreezeService);
      const isThawed = await freezes.thaw(accountId, reason);
      if (accountId === null && (await freezes.list(MAX_ROWS)).some(({ cause }) => cause === 'reconciliation'))
        throw new CommandError('All sends are still stopped by the comparison with the node. "reconcile" shows what to accept');
      if (!isThawed) throw new CommandError(`The sends of ${nameOf(accountId)} are not stopped. "frozen" lists what is`);
      return { found: { account: accountId, outcome: 'thawed' }, lines: [`Allowed: the sends of ${nameOf(accountId)}.`] };
    },
  },
  {
    name: 'frozen',
    summary: `Lists the sends that are stopped, the latest first, at most ${MAX_ROWS}`,
    run: async (app) => listed(await app.get(PaymentFreezeService).list(MAX_ROWS), line, 'No sends are stopped.'),
  },
);
