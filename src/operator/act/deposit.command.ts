import { DepositStore, OnChainAddressService, type ListedDeposit } from '../../money/onchain/index.js';
import { accountNamed } from './named.js';
import { commandsOf, listed, MAX_ROWS } from '../command/index.js';

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
          `${found.addresses} addresses. The longest run without a deposit has ${found.longestGap}, that at the end ${found.lastGap}.`,
          `Restore the seed with a look-ahead (recovery window) of ${lookAhead} or more.`,
        ],
      };
    },
  },
);
