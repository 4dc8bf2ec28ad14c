import {
  ADJUSTMENT_HOURS,
  AdjustmentService,
  MAX_LISTED_ADJUSTMENTS,
  MAX_OPEN_ADJUSTMENTS,
  type AdjustmentOutcome,
  type AdjustmentRow,
  type ActingOperator,
} from '../adjustment/index.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { accountNamed } from './named.js';
import { actionLine } from './payment-report.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  listed,
  UsageError,
  type CommandOptions,
  type OperatorCall,
  type ResultCommand,
} from '../command/index.js';
import { OperatorService } from '../../access/user/index.js';
import { secretInput } from './secret-input.js';

/** For commands that move customers' money by decision: the operating system's user is not enough. */
export const OPERATOR_OPTION: CommandOptions = {
  '--operator <name>': 'the operator who acts: e-mail address or username. The password is read from the terminal, or from standard input',
};

/** The operator whom `--operator` names, after their password. @throws CommandError when it is wrong */
export async function actingOperator(call: OperatorCall): Promise<ActingOperator> {
  const [name, runBy] = [call.text('operator')?.trim() ?? '', call.who];
  if (name === '') throw new UsageError('--operator must not be empty');
  const checked = await call.get(OperatorService).check(name, call.secret ?? (await secretInput(`The password of ${name}`)), runBy);
  if (checked.kind === 'slowed_down') throw new CommandError(`Too many wrong passwords. Try again in ${checked.retryAfterSeconds} seconds`);
  if (checked.kind === 'wrong')
    throw new CommandError('There is no operator with this name and this password. "operator list" shows the operators');
  return { ...checked.operator, runBy };
}

const MEMO = 'Adjustment by the operator';
const DISMISSED = 'The operator was dismissed, or has another password by now. Nothing was changed';

const REFUSALS: Readonly<Record<Exclude<AdjustmentOutcome, 'approved' | 'refused'>, string>> = {
  no_operator: DISMISSED,
  not_found: 'No adjustment with this id; "adjust list" shows them',
  approved_before: 'This adjustment was approved before; it is booked once',
  refused_before: 'This adjustment was refused before',
  expired: 'This adjustment has expired. Propose it again',
  same_operator: 'Another operator than the one who proposed it has to approve it',
  own_account: 'The account is your own: another operator has to approve it',
  proposer_dismissed: 'The user who proposed it is no operator any more. Refuse it, and propose it again',
  insufficient: 'The account has less than that, without what its payments in flight hold. Nothing was changed',
  out_of_range: 'The balance would be more than all bitcoin. Nothing was changed',
  rejected: 'The ledger rejected it. Run "audit". Nothing was changed',
};

const line = ({ id, state, amountMsat, accountId, proposer, decider, proposedAt, expiresAt, because }: AdjustmentRow): string =>
  [
    id,
    state.padEnd(8),
    `${amountMsat > 0n ? '+' : ''}${amountMsat} msat`,
    `account ${accountId}`,
    `proposed ${proposedAt.toISOString()} by ${proposer}`,
    decider === null ? `expires ${expiresAt.toISOString()}` : `${state} by ${decider}`,
    because,
  ].join('  ');

const idIn = (call: OperatorCall): string => call.uuid('The adjustment’s id', 'adjust list');

/** One of --msat and --sats, signed. commander takes a value that begins with a dash only in the form `--sats=-100`. */
function amountIn(call: OperatorCall): bigint {
  const [msat, sats] = [call.text('msat'), call.text('sats')];
  if ((msat === undefined) === (sats === undefined)) throw new UsageError('Give either --sats or --msat');
  if (!/^[+-]?\d{1,19}$/.test(msat ?? sats ?? ''))
    throw new UsageError('The amount must be a whole number, such as --sats 100 or --sats=-100');
  return msat === undefined ? msatOfSats(BigInt(sats ?? 0)) : BigInt(msat);
}

const decisionCommand = (decision: 'approve' | 'refuse', summary: string): ResultCommand => ({
  name: `adjust ${decision}`,
  summary,
  arguments: '<id>',
  requiredOptions: { ...OPERATOR_OPTION, ...BECAUSE_OPTION },
  async run(call) {
    const id = idIn(call);
    const outcome = await call.get(AdjustmentService).decide(decision, id, call.because, await actingOperator(call));
    if (outcome !== 'approved' && outcome !== 'refused') throw new CommandError(REFUSALS[outcome]);
    return { found: { id, state: outcome }, lines: [`${id} ${outcome}`] };
  },
});

export const adjustCommands = commandsOf(
  {
    name: 'adjust propose',
    summary: 'Proposes a change of an account’s bitcoin balance; another operator has to approve it',
    requiredOptions: {
      '--account <account>': 'the id of an account, or the e-mail address or the username of its user',
      ...OPERATOR_OPTION,
      ...BECAUSE_OPTION,
    },
    options: {
      '--sats <amount>': 'what the account gets, in satoshis; --sats=-100 takes 100 from it',
      '--msat <amount>': 'the same in millisatoshis',
      '--memo <text>': `what the customer reads in the history (default "${MEMO}")`,
      '--expires-in-hours <hours>': `when the proposal expires (default ${ADJUSTMENT_HOURS.default}, at most ${ADJUSTMENT_HOURS.max})`,
    },
    async run(call) {
      const [amountMsat, because, expiresInHours] = [amountIn(call), call.because, call.hours(ADJUSTMENT_HOURS.default)];
      const memo = call.text('memo')?.trim() || MEMO;
      const accountId = await accountNamed(call, call.text('account') ?? '');
      const by = await actingOperator(call);
      const outcome = await call.get(AdjustmentService).propose({ accountId, amountMsat, memo, because, expiresInHours }, by);
      if (outcome.kind === 'invalid') throw new UsageError(outcome.message);
      if (outcome.kind === 'no_operator') throw new CommandError(DISMISSED);
      if (outcome.kind === 'no_wallet') throw new CommandError('There is no account with this id');
      if (outcome.kind === 'too_many')
        throw new CommandError(`There are ${MAX_OPEN_ADJUSTMENTS} open adjustments, the most that are kept. Decide about some first`);
      const { id } = outcome;
      const lines = [
        `id: ${id}`,
        `Nothing has moved yet. Another operator runs: ${call.program} adjust approve ${id} --operator <name> --because <text>`,
      ];
      return { found: { id, account: accountId, amountMsat, state: 'open' }, lines };
    },
  },
  {
    name: 'adjust list',
    summary: `Lists adjustments, open ones first; at most ${MAX_LISTED_ADJUSTMENTS}`,
    run: async (call) => listed(await call.get(AdjustmentService).list(), line, 'No adjustments.'),
  },
  {
    name: 'adjust show',
    summary: 'Shows an adjustment, with what operators have done about it',
    arguments: '<id>',
    async run(call) {
      const found = await call.get(AdjustmentService).find(idIn(call));
      if (!found) throw new CommandError(REFUSALS.not_found);
      const { adjustment, actions } = found;
      const lines = [line(adjustment), `memo: ${adjustment.memo}`, ...actions.map(actionLine)];
      return { found: { ...adjustment, actions }, lines };
    },
  },
  decisionCommand('approve', 'Approves an adjustment that another operator has proposed: the balance changes, once'),
  decisionCommand('refuse', 'Refuses an adjustment, or withdraws your own: no money moves'),
);
