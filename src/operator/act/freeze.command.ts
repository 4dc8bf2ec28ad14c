import { PaymentFreezeService, type PaymentFreezeRow } from '../../money/payment/index.js';
import { AccessPauseService } from '../../access/user/index.js';
import { accountNamed } from './named.js';
import { BECAUSE_OPTION, CommandError, commandsOf, listed, MAX_ROWS, type OperatorCall, type ResultCommand } from '../command/index.js';

/** Null: all accounts. */
const subjectIn = async (call: OperatorCall): Promise<string | null> => (call.argument === '' ? null : accountNamed(call, call.argument));

const nameOf = (accountId: string | null): string => (accountId === null ? 'all accounts' : `account ${accountId}`);

const STOPPED_BY = { audit: 'a failed audit', operator: 'an operator', reconciliation: 'the comparison with the node' } as const;

const line = ({ subject, cause, since, because }: PaymentFreezeRow): string =>
  `${subject === 'all' ? 'all accounts' : subject}  since ${since.toISOString()}  by ${STOPPED_BY[cause]}: ${because}`;

const accessCommand = (verb: 'pause' | 'resume', summary: string, already: string): ResultCommand => ({
  name: verb,
  summary,
  requiredOptions: BECAUSE_OPTION,
  async run(call) {
    const record = call.recording();
    if (!(await call.get(AccessPauseService)[verb](null, 'operator', (tx) => record(tx, 'all')))) throw new CommandError(already);
    return { found: { access: `${verb}d` }, lines: [`Access of all API keys and apps is ${verb}d.`] };
  },
});

export const freezeCommands = commandsOf(
  {
    name: 'freeze',
    summary: 'Stops the sends of an account, or of all accounts; payments in flight end as usual, and payments arrive',
    arguments: '[account]',
    requiredOptions: BECAUSE_OPTION,
    details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
    async run(call) {
      const accountId = await subjectIn(call);
      const outcome = await call.get(PaymentFreezeService).freeze(accountId, 'operator', call.by);
      const said = outcome === 'frozen' ? 'Stopped' : 'Stopped already';
      return { found: { account: accountId, outcome }, lines: [`${said}: the sends of ${nameOf(accountId)}.`] };
    },
  },
  {
    name: 'thaw',
    summary: 'Allows the sends of an account, or of all accounts, again, also after a failed audit',
    arguments: '[account]',
    requiredOptions: BECAUSE_OPTION,
    async run(call) {
      const [accountId, freezes] = [await subjectIn(call), call.get(PaymentFreezeService)];
      const isThawed = await freezes.thaw(accountId, call.by);
      if (accountId === null && (await freezes.list(MAX_ROWS)).some(({ cause }) => cause === 'reconciliation'))
        throw new CommandError('All sends are still stopped by the comparison with the node. "reconcile" shows what to accept');
      if (!isThawed) throw new CommandError(`The sends of ${nameOf(accountId)} are not stopped. "frozen" lists what is`);
      return { found: { account: accountId, outcome: 'thawed' }, lines: [`Allowed: the sends of ${nameOf(accountId)}.`] };
    },
  },
  {
    name: 'frozen',
    summary: `Lists the sends that are stopped, the latest first, at most ${MAX_ROWS}`,
    run: async (call) => listed(await call.get(PaymentFreezeService).list(MAX_ROWS), line, 'No sends are stopped.'),
  },
  accessCommand(
    'pause',
    'Refuses the API keys and apps of all users with ACCESS_PAUSED, within a second, and holds webhooks; payments in flight end as usual',
    'Access is paused already',
  ),
  accessCommand('resume', 'Ends "pause": what users themselves have paused stays so', 'Access is not paused by "pause"'),
);
