import { SettlementStore } from '../invoice/index.js';
import { printResult, JSON_OPTION, type Command } from './command.js';

const MAX_ROWS = 1_000;

export const settlementCommands: readonly Command[] = [
  {
    name: 'settlement list',
    summary: 'Lists settlements that need your review: rejected ones, and those for unknown invoices',
    options: JSON_OPTION,
    async run(app, args, print) {
      const waiting = await app.get(SettlementStore).listToReview(MAX_ROWS);
      const lines = waiting.map(
        ({ createdAt, outcome, amountMsat, paymentHash, settleIndex, nodeId }) =>
          `${createdAt.toISOString()} ${outcome.padEnd(9)} ${amountMsat ?? 'no'} msat ${paymentHash} index ${settleIndex} node ${nodeId}`,
      );
      if (waiting.length === 0) lines.push('No settlements to review.');
      if (waiting.length === MAX_ROWS) lines.push(`Only the oldest ${MAX_ROWS} are shown.`);
      printResult(args, print, waiting, lines);
    },
  },
];
