import { SettlementStore, type ClaimOutcome, type SettlementToReview } from '../../money/invoice/index.js';
import { DepositStore } from '../../money/onchain/index.js';
import { HEX_32 } from '../../platform/kernel/form.js';
import { SettlementReturnService, type PaymentOutcome, type SettlementReturnOutcome } from '../../money/payment/index.js';
import { depositLine } from './deposit.command.js';
import { accountNamed } from './named.js';
import { BECAUSE_OPTION, CommandError, commandsOf, listed, MAX_ROWS, UsageError, type OperatorCall } from '../command/index.js';

const REFUSALS: Readonly<Record<Exclude<ClaimOutcome, 'booked'>, string>> = {
  unknown: 'No unclaimed settlement has this payment hash, or it was booked before. "settlement list" shows them',
  no_wallet: 'There is no account with this id',
  refused: 'The ledger refused it. Run "audit". Nothing was changed',
};

const RETURN_REFUSALS: Readonly<Record<Exclude<SettlementReturnOutcome['kind'], 'paid'>, string>> = {
  bad_invoice: 'The invoice cannot be read',
  no_amount: 'The invoice has no amount. Ask the sender for one of what was received, or less',
  wrong_network: 'The invoice is of another network',
  expired: 'The invoice has expired. Ask the sender for another one',
  node_unavailable: 'The node does not answer. Nothing was changed',
  unknown: REFUSALS.unknown,
  booked: 'This settlement was booked to its recipient before',
  no_operator: 'The account of --from is not that of an operator. "operator list" shows them',
  too_much: 'The invoice asks more than was received',
  other_wallet: 'An earlier try has booked it to the wallet of another operator. Use that one',
  pending: 'The payment that returns it is in flight. "settlement return" again when it has failed',
  returned: 'It was returned before',
  refused: REFUSALS.refused,
};

/** The end of a return. @throws CommandError unless the sender has the money: it is in the operator's wallet then, or in flight */
function endOf(outcome: PaymentOutcome): string {
  if (outcome.kind === 'settled') return outcome.transactionId;
  if (outcome.kind === 'pending' || outcome.kind === 'queued' || outcome.kind === 'unconfirmed')
    throw new CommandError(
      `The payment is in flight. "payment show ${outcome.transactionId}" shows how it ends; repeat the command if it fails`,
    );
  const why =
    outcome.kind === 'already_paid'
      ? 'this account has paid the invoice before'
      : outcome.kind === 'vetoed'
        ? outcome.message
        : outcome.reason;
  throw new CommandError(
    `It was not paid (${why}). The money is in the wallet of --from. Repeat the command, with another invoice if need be`,
  );
}

function hashIn(call: OperatorCall): string {
  const hash = call.argument.toLowerCase();
  if (!HEX_32.test(hash)) throw new UsageError('The payment hash must be 64 hexadecimal digits; "settlement list" shows them');
  return hash;
}

const line = ({ createdAt, outcome, amountMsat, paymentHash, settleIndex, nodeId }: SettlementToReview): string =>
  `${createdAt.toISOString()} ${outcome.padEnd(9)} ${amountMsat ?? 'no'} msat ${paymentHash} index ${settleIndex} node ${nodeId}`;

export const settlementCommands = commandsOf(
  {
    name: 'settlement list',
    summary:
      'Lists what needs your review: rejected settlements, those for unknown invoices, and on-chain deposits that a reorganisation took out or whose account is gone',
    async run(call) {
      const settlements = await call.get(SettlementStore).listToReview(MAX_ROWS);
      const deposits = await call.get(DepositStore).listToReview(MAX_ROWS);
      const isCut = settlements.length === MAX_ROWS || deposits.length === MAX_ROWS;
      return listed(
        [...settlements, ...deposits],
        (row) => ('txid' in row ? depositLine(row) : line(row)),
        'No settlements to review.',
        isCut ? [`Only the oldest ${MAX_ROWS} are shown.`] : [],
      );
    },
  },
  {
    name: 'settlement book',
    summary: 'Books a settlement of an unknown invoice to the wallet of its recipient',
    arguments: '<hash>',
    requiredOptions: {
      '--to <account>': 'the recipient: the id of an account, or the e-mail address or the username of its user',
      ...BECAUSE_OPTION,
    },
    async run(call) {
      const hash = hashIn(call);
      const account = await accountNamed(call, call.text('to') ?? '');
      const outcome = await call.get(SettlementStore).claim(hash, account, call.who, call.because);
      if (outcome !== 'booked') throw new CommandError(REFUSALS[outcome]);
      return { found: { paymentHash: hash, account }, lines: [`Booked: ${hash} to account ${account}.`] };
    },
  },
  {
    name: 'settlement return',
    summary: 'Returns a settlement of an unknown invoice to its sender, who gives you an invoice',
    arguments: '<hash>',
    requiredOptions: {
      '--invoice <invoice>': 'an invoice of the sender, of what was received or less',
      '--from <account>': 'your account as an operator: its id, or the e-mail address or the username of its user',
      ...BECAUSE_OPTION,
    },
    details: [
      'The settlement is booked to the bitcoin wallet of --from, which pays the invoice and its fee like any payment. If that fails, the money',
      'stays in the wallet: repeat the command. A wallet without other money needs an invoice that leaves room for the fee limit.',
    ],
    usesNode: true,
    async run(call) {
      const [paymentHash, paymentRequest] = [hashIn(call), call.text('invoice') ?? ''];
      const accountId = await accountNamed(call, call.text('from') ?? '');
      const asked = { paymentHash, paymentRequest, accountId, ...call.by };
      const returned = await call.get(SettlementReturnService).returnToSender(asked);
      if (returned.kind !== 'paid') throw new CommandError(RETURN_REFUSALS[returned.kind]);
      const paymentId = endOf(returned.outcome);
      return { found: { paymentHash, paymentId }, lines: [`Returned: ${paymentHash} by payment ${paymentId}.`] };
    },
  },
);
