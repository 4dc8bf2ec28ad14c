import { isUuid } from '../kernel/uuid.js';
import type { OperatorActionRow } from '../operator-action/index.js';
import {
  OperatorPaymentService,
  type OperatorPaymentRow,
  type PaymentState,
  type ResolveOutcome,
  type OperatorResolution,
} from '../payment/index.js';
import { printResult, hasOption, JSON_OPTION, CommandError, required, text, UsageError, type Arguments, type Command } from './command.js';
import { operatorName } from './operator-name.js';

const STATES = ['in_flight', 'settled', 'failed'] as const satisfies readonly PaymentState[];
const MAX_ROWS = 1_000;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

const at = (date: Date | null): string => date?.toISOString() ?? 'never';

const line = ({ id, state, amountMsat, createdAt, dispatchedAt, seenInFlight, paymentHash, failure }: OperatorPaymentRow): string =>
  [
    id,
    state.padEnd(9),
    at(createdAt),
    `${amountMsat} msat`,
    state === 'in_flight' ? (seenInFlight ? 'seen at the node' : dispatchedAt ? 'sent' : 'not sent') : (failure ?? ''),
    paymentHash ?? '',
  ]
    .filter(Boolean)
    .join('  ');

const details = (row: OperatorPaymentRow): string[] =>
  Object.entries(row)
    .filter(([name]) => name !== 'isFresh')
    .map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : String(value ?? 'none')}`);

const actionLine = ({ at: when, who, action, because }: OperatorActionRow): string => `${at(when)}  ${who}  ${action}: ${because}`;

/** `90m`, `2h`, `1d`, or seconds. */
function secondsIn(args: Arguments, flag: string): number {
  const said = text(args, flag) ?? '0';
  const [, number, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(said) ?? [];
  if (number === undefined) throw new UsageError(`--${flag} must be a time such as 90m, 2h or 1d`);
  return Number(number) * (SECONDS[unit] ?? 1);
}

function stateIn(args: Arguments): PaymentState | null {
  const said = text(args, 'state');
  if (said === undefined) return null;
  const state = STATES.find((known) => known === said);
  if (!state) throw new UsageError(`--state must be one of: ${STATES.join(', ')}`);
  return state;
}

function idIn(args: Arguments): string {
  const id = required(args, 'The payment’s id');
  if (!isUuid(id)) throw new UsageError('The payment’s id must be a UUID; "payment list" shows them');
  return id.toLowerCase();
}

function resolutionIn(args: Arguments): OperatorResolution {
  const [preimage, because, fee] = [text(args, 'settled'), text(args, 'because')?.trim(), text(args, 'fee-msat')];
  if ((preimage === undefined) === !hasOption(args, 'failed')) throw new UsageError('Give either --settled <preimage> or --failed');
  if (fee !== undefined && (preimage === undefined || !/^\d{1,18}$/.test(fee)))
    throw new UsageError('--fee-msat must be a whole number of millisatoshis, and needs --settled');
  if (preimage !== undefined)
    return { state: 'settled', preimage, feeMsat: BigInt(fee ?? 0), who: operatorName(), because: because || 'its preimage is known' };
  if (!because) throw new UsageError('--failed needs --because <text>: your finding, for the audit log');
  return { state: 'failed', who: operatorName(), because };
}

const REFUSALS: Readonly<Record<Exclude<ResolveOutcome['kind'], 'resolved' | 'too_early'>, string>> = {
  ended_already: 'The payment has already ended, or another payment paid its invoice. See "payment show"',
  not_found: 'No payment with this id',
  no_lightning_payment: 'This is an internal payment; it is settled',
  wrong_preimage: 'The preimage does not match the payment hash. Nothing was changed',
  refused: 'The ledger rejected this outcome. Check the fee and run "audit". Nothing was changed',
};

export const paymentCommands: readonly Command[] = [
  {
    name: 'payment list',
    summary: `Lists the latest payments, at most ${MAX_ROWS}`,
    options: {
      '--state <state>': `only payments in this state: ${STATES.join(', ')}`,
      '--older-than <time>': 'only payments that began earlier: 90m, 2h or 1d ago',
      ...JSON_OPTION,
    },
    async run(app, args, print) {
      const filter = { state: stateIn(args), olderThanSeconds: secondsIn(args, 'older-than'), limit: MAX_ROWS };
      const rows = await app.get(OperatorPaymentService).list(filter);
      const found = rows.map(({ isFresh: _, ...row }) => row);
      printResult(args, print, found, rows.map(line));
    },
  },
  {
    name: 'payment show',
    summary: 'Shows all details of a payment, with the actions of operators',
    arguments: '<id>',
    options: JSON_OPTION,
    async run(app, args, print) {
      const report = await app.get(OperatorPaymentService).find(idIn(args));
      if (!report) throw new CommandError(REFUSALS.not_found);
      const { payment, actions } = report;
      const { isFresh: _, ...row } = payment;
      printResult(args, print, { ...row, actions }, [...details(payment), ...actions.map(actionLine)]);
    },
  },
  {
    name: 'payment resolve',
    summary: 'Ends a payment whose outcome the node cannot report: settled (with its preimage) or failed (with your finding)',
    arguments: '<id>',
    options: {
      '--settled <preimage>': 'the payment succeeded',
      '--fee-msat <msat>': 'what its route cost, in millisatoshis (default 0)',
      '--failed': 'the payment failed, and the node can never pay it any more',
      '--because <text>': 'your finding, for the audit log',
      ...JSON_OPTION,
    },
    async run(app, args, print) {
      const [id, resolution] = [idIn(args), resolutionIn(args)];
      const resolved = await app.get(OperatorPaymentService).resolve(id, resolution);
      if (resolved.kind === 'too_early')
        throw new CommandError(`The node may still answer. Try again when the payment is ${resolved.waitSeconds} seconds old`);
      if (resolved.kind !== 'resolved') throw new CommandError(REFUSALS[resolved.kind]);
      const { lossMsat } = resolved;
      const lines = [`${id} ${resolution.state}`, ...(lossMsat > 0n ? [`${lossMsat} msat booked to the loss account`] : [])];
      printResult(args, print, { id, state: resolution.state, lossMsat }, lines);
    },
  },
];
