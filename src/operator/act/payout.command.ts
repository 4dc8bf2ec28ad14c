import {
  MAX_BUMP_RATE,
  OperatorPayoutService,
  type BumpOutcome,
  type CancelOutcome,
  type OperatorPayoutRow,
  type PayoutReport,
  type PayoutState,
  type RequeueOutcome,
} from '../../money/payment/index.js';
import { BECAUSE_OPTION, CommandError, commandsOf, fieldLines, LIMIT_OPTION, listed, type OperatorCall } from '../command/index.js';
import { actionLine } from './payment-report.js';

const STATES = ['queued', 'batched', 'broadcast', 'confirmed', 'cancelled'] as const satisfies readonly PayoutState[];
const NOT_FOUND = 'No payment to a bitcoin address has this id. "payout list" shows them';

const CANCEL_REFUSALS: Readonly<Record<Exclude<CancelOutcome, 'cancelled'>, string>> = {
  unknown: NOT_FOUND,
  settled: 'It was paid once, and its transaction was replaced: it is paid again, and cannot be cancelled',
  batched: 'It is in a transaction already',
  broadcast: 'It is in a transaction already',
  confirmed: 'It is in a block',
};

const REQUEUE_REFUSALS: Readonly<Record<Exclude<RequeueOutcome, 'queued'>, string>> = {
  known: 'The wallet knows its transaction, or does not answer: it can still be paid by it',
  not_waiting: 'It is in no transaction that has waited for its block for ten minutes',
};

const BUMP_REFUSALS: Readonly<Record<Exclude<BumpOutcome['kind'], 'bumped'>, string>> = {
  not_sent: 'No transaction of it is on its way: it waits in the queue, or a block has it',
  no_rate: 'The wallet knows no fee rate now. Give one: --rate <sats>',
  rate_too_low: 'The fee must rise by a satoshi a vbyte at least. Give a higher one: --rate <sats>',
  rate_too_high: `The fee would be above ${MAX_BUMP_RATE} satoshis a vbyte. Give a lower one: --rate <sats>`,
  no_change: 'The transaction has too little change to pay a higher fee. Spend one of its outputs with a high fee instead',
  unavailable: 'The wallet did not sign it. Nothing was changed',
  overtaken: 'It was bumped or confirmed meanwhile. Nothing was changed',
};

const lineOf = ({ id, state, speed, queuedAt, sats, address, txid, vout, minerSats }: OperatorPayoutRow): string =>
  [
    id,
    state.padEnd(9),
    speed.padEnd(6),
    queuedAt.toISOString(),
    `${sats} sats`,
    ...(minerSats === null ? [] : [`miner’s fee ${minerSats} sats`]),
    address ?? '',
    txid === null ? '' : `${txid}:${vout}`,
  ]
    .filter(Boolean)
    .join('  ');

const linesOf = ({ payout, versions, actions }: PayoutReport): string[] => [
  ...fieldLines(payout),
  ...versions.map(({ txid, feeSats, madeAt, status }) => `transaction: ${txid}  ${madeAt.toISOString()}  fee ${feeSats} sats  ${status}`),
  ...actions.map(actionLine),
];

const RATE = 'a whole number of satoshis a vbyte, of at most nine digits';

const idIn = (call: OperatorCall): string => call.uuid('The payment’s id', 'payout list');

export const payoutCommands = commandsOf(
  {
    name: 'payout list',
    summary: 'Lists payments to bitcoin addresses, the latest first',
    options: {
      '--state <state>': `only payments in this state: ${STATES.join(', ')}`,
      ...LIMIT_OPTION,
      '--after <id>': 'the page after this payment',
    },
    async run(call) {
      const rows = await call.get(OperatorPayoutService).list(call.oneOf('state', STATES), call.after('a payment'), call.limit);
      const more =
        rows.length === call.limit ? [`More: ${call.program} payout list --after ${rows.at(-1)?.id}, with the same options`] : [];
      return listed(rows, lineOf, 'There are no such payments.', more);
    },
  },
  {
    name: 'payout show',
    summary: 'Shows a payment to a bitcoin address: its fees, its transactions and what the wallet says of them now',
    arguments: '<id>',
    usesNode: 'if_known',
    async run(call) {
      const report = await call.get(OperatorPayoutService).find(idIn(call));
      if (!report) throw new CommandError(NOT_FOUND);
      return { found: report, lines: linesOf(report) };
    },
  },
  {
    name: 'payout cancel',
    summary: 'Cancels a payment to a bitcoin address that waits in the queue: its money is free again',
    arguments: '<id>',
    requiredOptions: BECAUSE_OPTION,
    async run(call) {
      const id = idIn(call);
      const outcome = await call.get(OperatorPayoutService).cancel(id, call.by);
      if (outcome !== 'cancelled') throw new CommandError(CANCEL_REFUSALS[outcome]);
      return { found: { id, state: outcome }, lines: [`${id} cancelled`] };
    },
  },
  {
    name: 'payout requeue',
    summary: 'Pays by another transaction, where the one of a payment to a bitcoin address has lost a coin for good',
    arguments: '<id>',
    usesNode: true,
    requiredOptions: BECAUSE_OPTION,
    details: ['First see in an explorer that another transaction has spent the coin, six blocks deep: otherwise both can pay.'],
    async run(call) {
      const id = idIn(call);
      const outcome = await call.get(OperatorPayoutService).requeue(id, call.by);
      if (outcome !== 'queued') throw new CommandError(REQUEUE_REFUSALS[outcome]);
      return { found: { id, state: outcome }, lines: [`${id} and those in its transaction are in the queue again`] };
    },
  },
  {
    name: 'payout bump',
    summary: 'Sends the transaction of a payment to a bitcoin address again with a higher fee, for all payments in it',
    arguments: '<id>',
    usesNode: true,
    requiredOptions: BECAUSE_OPTION,
    options: { '--rate <sats>': `its fee in satoshis a vbyte, at most ${MAX_BUMP_RATE} (default: what the next block takes)` },
    details: ['What the fee is beyond the holds of the payments, you bear: it is booked to the loss account.'],
    async run(call) {
      const id = idIn(call);
      const bumped = await call.get(OperatorPayoutService).bump(id, call.number('rate', RATE), call.by);
      if (bumped.kind !== 'bumped') throw new CommandError(BUMP_REFUSALS[bumped.kind]);
      const { txid, feeSats } = bumped;
      return { found: { id, txid, feeSats }, lines: [`${id} is paid by ${txid} now, for a fee of ${feeSats} sats`] };
    },
  },
);
