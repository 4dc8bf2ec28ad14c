import { ReconciliationService, type ReconciliationReport } from '../reconciliation/index.js';
import { CommandError, commandsOf, UsageError, type OperatorCall } from '../command/index.js';

const MAX_DAYS = 3_660;

function daysIn(call: OperatorCall): number {
  const what = `a whole number from 1 to ${MAX_DAYS}`;
  const days = call.number('days', what) ?? 1;
  if (days < 1 || days > MAX_DAYS) throw new UsageError(`--days must be ${what}`);
  return days;
}

const COMPARISONS: Readonly<Record<ReconciliationReport['comparison'], string>> = {
  compared: 'compared up to its latest payment',
  went_back: 'not compared: its payment index went back, so it was restored or its records were deleted',
  unsupported: 'not compared: this back end does not list its payments',
  unknown: 'not compared: it does not answer',
};

const dealerLinesOf = ({ customersCents, btcMsat, usdCents, centsPerBtc, resultCents }: ReconciliationReport['dealer']): string[] => [
  `Customers have ${customersCents} US cents, and the dealer owes them ${-usdCents}`,
  `The dealer has ${btcMsat} msat for them` +
    (resultCents === null ? '; there is no price now' : `; at ${centsPerBtc} cents a bitcoin, ${resultCents} cents more than it owes`),
];

function onChainLinesOf(report: ReconciliationReport['onChain']): string[] {
  if (report === null) return [];
  const { ledgerSats, arrivingSats, goneSats, leavingSats, wallet, differenceSats } = report;
  return [
    `On-chain, the ledger expects ${ledgerSats} sats; ${arrivingSats} arrive, ${leavingSats} leave with their fees, and a reorganisation took ${goneSats}`,
    wallet.status === 'known'
      ? `The wallet has ${wallet.confirmedSats} sats in blocks, of which ${wallet.reservedSats} are kept for channels, and ${wallet.unconfirmedSats} in the mempool`
      : 'The wallet does not respond: what it has is unknown',
    ...(differenceSats === null ? [] : [`Difference: ${differenceSats} sats (the operator's own coins)`]),
  ];
}

function linesOf(report: ReconciliationReport): string[] {
  const { nodeId, comparison, paymentIndex, ledger, dealer, node, differenceMsat, unexplained, unknownToLedger, unknownToNode } = report;
  return [
    `Node ${nodeId || 'unknown'}: ${COMPARISONS[comparison]} (index ${paymentIndex})`,
    `Customers have ${ledger.customers} msat, of which ${ledger.held} are held for payments in flight`,
    ...dealerLinesOf(dealer),
    `The ledger expects ${-ledger.lightning} msat at its nodes`,
    ...(node.status === 'known'
      ? [`The node has ${node.localMsat} msat in channels and ${node.inFlightMsat} in flight`]
      : ['The node does not respond: what it has is unknown']),
    ...(differenceMsat === null ? [] : [`Difference: ${differenceMsat} msat (the operator's own funds, channel fees and payments)`]),
    ...onChainLinesOf(report.onChain),
    `Settled payments of the node that the ledger does not know: ${unknownToLedger.payments}, ${unknownToLedger.msat} msat with fees`,
    ...unexplained.map(
      ({ paymentHash, paymentIndex: index, state, amountMsat, createdAt }) =>
        `  unexplained: ${createdAt.toISOString()} ${paymentHash} ${state} ${amountMsat} msat index ${index}`,
    ),
    ...report.lostPayouts.map((txid) => `  not known to the ledger: transaction ${txid} of payouts`),
    `Payments that the ledger holds for settled and the node does not: ${unknownToNode.length}`,
    ...unknownToNode.map((hash) => `  ${hash}`),
  ];
}

function failureOf({ dealer, findings, comparison }: ReconciliationReport, program: string): string | undefined {
  if (dealer.customersCents !== -dealer.usdCents) return 'The dealer does not owe the dollars that customers have. Run "sluice audit"';
  if (findings !== null)
    return `All sends are stopped. Compare the ledger with the node, correct what is wrong, then: ${program} reconcile --accept ${findings} --because "..."`;
  if (comparison === 'compared' || comparison === 'unsupported') return undefined;
  return 'The node could not be compared. Try again when it answers';
}

export const reconcileCommands = commandsOf({
  name: 'reconcile',
  summary: 'Compares the payments and the balance of the node with the ledger, or accepts what was found',
  options: {
    '--days <days>': 'the age of the settled payments that the node is asked about (default 1)',
    '--accept <hash>': 'accepts one unexplained payment, or with the hash of the report everything in it; sends are allowed again',
    '--because <text>': 'your finding, for the log of operators; needed with --accept',
  },
  details: ['The exit status is 1 when something waits for your acceptance, or when the node could not be compared.'],
  usesNode: true,
  async run(call) {
    const reconciliation = call.get(ReconciliationService);
    const { because } = call;
    const accept = call.text('accept');
    const report = await reconciliation.report(daysIn(call));
    if (accept !== undefined) {
      if (!because) throw new UsageError('--accept needs --because <text>');
      if (!(await reconciliation.accept(accept, call.who, because)))
        throw new CommandError(`Nothing that waits for acceptance has the hash ${accept}. "${call.program} reconcile" shows what does`);
      return { found: { accepted: accept }, lines: [`Accepted: ${accept}.`] };
    }
    return { found: report, lines: linesOf(report), failure: failureOf(report, call.program) };
  },
});
