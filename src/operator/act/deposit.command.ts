import {
  DepositStore,
  OnChainAddressService,
  type DepositBookOutcome,
  type ListedDeposit,
  type Outpoint,
} from '../../money/onchain/index.js';
import { accountNamed } from './named.js';
import { BECAUSE_OPTION, CommandError, commandsOf, listed, MAX_ROWS, UsageError, type OperatorCall } from '../command/index.js';

/** What LND's wallet and most others look ahead by default. */
const USUAL_LOOK_AHEAD = 20;

function stateOf({ state, unprovenAt, goneAt, height }: ListedDeposit): string {
  if (unprovenAt) return 'reorganised';
  if (state !== 'pending' && state !== 'waiting') return state;
  if (goneAt) return 'gone';
  if (state === 'waiting') return 'below fee';
  return height === null ? 'in mempool' : 'pending';
}

export function depositLine(deposit: ListedDeposit): string {
  const { seenAt, sats, txid, vout, address, height, accountId } = deposit;
  const block = height === null ? 'no block' : `block ${height}`;
  return `${seenAt.toISOString()} ${stateOf(deposit).padEnd(11)} ${sats} sats ${txid}:${vout} ${block} to ${address} account ${accountId}`;
}

const REFUSALS: Readonly<Record<Exclude<DepositBookOutcome, 'booked'>, string>> = {
  unknown: 'No such deposit is unclaimed. "settlement list" shows those that are',
  unproven: 'A reorganisation has taken it out of its block. Wait for its confirmations',
  no_wallet: 'There is no account with this id',
  refused: 'The ledger refused it. Run "audit". Nothing was changed',
};

function outputIn(call: OperatorCall): Outpoint {
  const [, txid, vout] = /^([0-9a-f]{64}):(\d{1,9})$/.exec(call.argument.toLowerCase()) ?? [];
  if (txid === undefined) throw new UsageError('The output must be <txid>:<vout>; "settlement list" shows it');
  return { txid, vout: Number(vout) };
}

export const depositCommands = commandsOf(
  {
    name: 'deposit list',
    summary: 'Lists on-chain deposits, the newest first',
    options: { '--account <account>': 'of one account: its id, or the e-mail address or the username of its user' },
    async run(call) {
      const account = call.text('account');
      const deposits = await call.get(DepositStore).list(account === undefined ? null : await accountNamed(call, account), MAX_ROWS);
      const more = deposits.length === MAX_ROWS ? [`Only the newest ${MAX_ROWS} are shown.`] : [];
      return listed(deposits, depositLine, 'No deposits.', more);
    },
  },
  {
    name: 'deposit book',
    summary: 'Books a deposit to an address of a deleted account to the wallet of its recipient',
    arguments: '<output>',
    requiredOptions: {
      '--to <account>': 'the recipient: the id of an account, or the e-mail address or the username of its user',
      ...BECAUSE_OPTION,
    },
    async run(call) {
      const output = outputIn(call);
      const account = await accountNamed(call, call.text('to') ?? '');
      const outcome = await call.get(DepositStore).book(output, account, call.by);
      if (outcome !== 'booked') throw new CommandError(REFUSALS[outcome]);
      return { found: { ...output, account }, lines: [`Booked: ${call.argument} to account ${account}.`] };
    },
  },
  {
    name: 'deposit release',
    summary: 'Ends the hold of a credited deposit that a reorganisation took out and that will not come again',
    arguments: '<output>',
    requiredOptions: BECAUSE_OPTION,
    details: ['The customer can spend the money then: stop the account by "freeze" first if an adjustment is to take it.'],
    async run(call) {
      const output = outputIn(call);
      if (!(await call.get(DepositStore).release(output, call.by)))
        throw new CommandError('A reorganisation has taken no such deposit. "settlement list" shows those that it has');
      return { found: output, lines: [`Released: ${call.argument}.`] };
    },
  },
  {
    name: 'onchain check',
    summary: "Says how far a restore of the node's seed has to look ahead to find every deposit",
    details: [
      'A wallet that is restored from its seed looks for deposits until it has found a run of addresses without any. People make addresses and do not use',
      'them, and those at the end may receive at any time.',
    ],
    async run(call) {
      const found = await call.get(OnChainAddressService).lookAhead();
      const lookAhead = Math.max(USUAL_LOOK_AHEAD, found.longestGap + 1, found.lastGap + 1);
      return {
        found: { ...found, lookAhead },
        lines: [
          `${found.addresses} address${found.addresses === 1 ? '' : 'es'}. The longest run without a deposit has ${found.longestGap}, that at the end ${found.lastGap}.`,
          `Restore the seed with a look-ahead (recovery window) of ${lookAhead} or more.`,
        ],
      };
    },
  },
);
