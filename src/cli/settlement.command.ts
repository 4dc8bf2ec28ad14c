import { SettlementStore } from '../invoice/index.js';
import { answer, JSON_OPTION, type Command } from './command.js';

const MOST = 1_000;

export const settlementCommands: readonly Command[] = [
  {
    name: 'settlement list',
    summary: 'Lists settlements that need your review: rejected ones, and those for unknown invoices',
    options: JSON_OPTION,
    async run(app, args, print) {
      const waiting = await app.get(SettlementStore).listToReview(MOST);
      const lines = waiting.map(
        ({ createdAt, outcome, amountMsat, paymentHash, settleIndex, nodeId }) =>
          `${createdAt.toISOString()} ${outcome.padEnd(9)} ${amountMsat ?? 'no'} msat ${paymentHash} index ${settleIndex} node ${nodeId}`,
      );
      if (waiting.length === 0) lines.push('No settlements to review.');
      if (waiting.length === MOST) lines.push(`Only the oldest ${MOST} are shown.`);
      answer(args, print, waiting, lines);
    },
  },
];
