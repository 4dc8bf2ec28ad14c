import { OperatorPaymentService, type PaymentState, type ResolveOutcome, type OperatorResolution } from '../../money/payment/index.js';
import { accountNamed } from './named.js';
import { CommandError, commandsOf, LIMIT_OPTION, listed, UsageError, type OperatorCall } from '../command/index.js';
import { lineOf, linesOfReport, rowOf } from './payment-report.js';

const STATES = ['in_flight', 'settled', 'failed'] as const satisfies readonly PaymentState[];
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** Thirty-one years: no payment is older, and the times of PostgreSQL end some thousand years ago. */
const MAX_SECONDS = 1e9;

/** `90m`, `2h`, `1d`, or seconds. */
function secondsIn(call: OperatorCall, flag: string): number {
  const said = call.text(flag) ?? '0';
  const [, number, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(said) ?? [];
  if (number === undefined) throw new UsageError(`--${flag} must be a time such as 90m, 2h or 1d`);
  return Math.min(Number(number) * (SECONDS[unit] ?? 1), MAX_SECONDS);
}

const idIn = (call: OperatorCall): string => call.uuid('The payment’s id', 'payment list');

function resolutionIn(call: OperatorCall): OperatorResolution {
  const { because, who } = call;
  const [preimage, fee] = [call.text('settled'), call.text('fee-msat')];
  if ((preimage === undefined) === !call.has('failed')) throw new UsageError('Give either --settled <preimage> or --failed');
  const [isNodeGone, isNeverSent] = [call.has('node-is-gone'), call.has('never-sent')];
  if (isNodeGone && preimage !== undefined) throw new UsageError('--node-is-gone needs --failed');
  if (isNeverSent && preimage !== undefined) throw new UsageError('--never-sent needs --failed');
  if (fee !== undefined && (preimage === undefined || !/^\d{1,18}$/.test(fee)))
    throw new UsageError('--fee-msat must be a whole number of millisatoshis, and needs --settled');
  if (preimage !== undefined)
    return { state: 'settled', preimage, feeMsat: BigInt(fee ?? 0), who, because: because || 'its preimage is known' };
  if (!because) throw new UsageError('--failed needs --because <text>: your finding, for the audit log');
  return { state: 'failed', isNodeGone, isNeverSent, who, because };
}

const REFUSALS: Readonly<Record<Exclude<ResolveOutcome['kind'], 'resolved' | 'too_early'>, string>> = {
  ended_already: 'The payment has already ended, or another payment paid its invoice. See "payment show"',
  not_found: 'No payment with this id',
  no_lightning_payment: 'This is no Lightning payment. One inside is settled; "payout show" shows one to a bitcoin address',
  node_in_flight:
    'The node has this payment in flight: it may still be paid. Wait until it ends; only if it was restarted since and none of its channels has the HTLC, add --never-sent. Nothing was changed',
  node_settled: 'The node has settled this payment, and it is booked by itself. Nothing was changed',
  node_unknown:
    'The node that was asked to pay it does not answer, so it may be paid. Connect it; only if it is gone for good, add --node-is-gone. Nothing was changed',
  wrong_preimage: 'The preimage does not match the payment hash. Nothing was changed',
  refused: 'The ledger rejected this outcome. Check the fee and run "audit". Nothing was changed',
};

export const paymentCommands = commandsOf(
  {
    name: 'payment list',
    summary: 'Lists payments, the latest first',
    options: {
      '--state <state>': `only payments in this state: ${STATES.join(', ')}`,
      '--older-than <time>': 'only payments that began earlier: 90m, 2h or 1d ago',
      '--account <account>': 'only payments of this account: its id, or the e-mail address or the username of its user',
      ...LIMIT_OPTION,
      '--after <id>': 'the page after this payment',
    },
    async run(call) {
      const account = call.text('account');
      const [state, after, olderThanSeconds] = [call.oneOf('state', STATES), call.after('a payment'), secondsIn(call, 'older-than')];
      const accountId = account === undefined ? null : await accountNamed(call, account);
      const rows = await call.get(OperatorPaymentService).list({ state, olderThanSeconds, limit: call.limit, after, accountId });
      const more =
        rows.length === call.limit ? [`More: ${call.program} payment list --after ${rows.at(-1)?.id}, with the same options`] : [];
      return { ...listed(rows, lineOf, 'There are no such payments.', more), found: rows.map(rowOf) };
    },
  },
  {
    name: 'payment show',
    summary: 'Shows a payment: what node and ledger have on record now, what happens next, and what operators have done',
    arguments: '<id>',
    usesNode: 'if_known',
    async run(call) {
      const report = await call.get(OperatorPaymentService).find(idIn(call));
      if (!report) throw new CommandError(REFUSALS.not_found);
      const { payment, evidence, actions } = report;
      return { found: { ...rowOf(payment), ...evidence, actions }, lines: linesOfReport(report) };
    },
  },
  {
    name: 'payment resolve',
    summary: 'Ends a payment whose outcome the node cannot report: settled (with its preimage) or failed (with your finding)',
    arguments: '<id>',
    usesNode: 'if_known',
    options: {
      '--settled <preimage>': 'the payment succeeded',
      '--fee-msat <msat>': 'what its route cost, in millisatoshis (default 0)',
      '--failed': 'the payment failed, and the node can never pay it any more',
      '--node-is-gone': 'with --failed: the node does not answer, and never will again',
      '--never-sent': 'with --failed: the node has it in flight, was restarted since, and none of its channels has the HTLC',
      '--because <text>': 'your finding, for the audit log',
    },
    async run(call) {
      const [id, resolution] = [idIn(call), resolutionIn(call)];
      const resolved = await call.get(OperatorPaymentService).resolve(id, resolution);
      if (resolved.kind === 'too_early')
        throw new CommandError(`The node may still answer. Try again when the payment is ${resolved.waitSeconds} seconds old`);
      if (resolved.kind !== 'resolved') throw new CommandError(REFUSALS[resolved.kind]);
      const { lossMsat } = resolved;
      const lines = [`${id} ${resolution.state}`, ...(lossMsat > 0n ? [`${lossMsat} msat booked to the loss account`] : [])];
      return { found: { id, state: resolution.state, lossMsat }, lines };
    },
  },
);
