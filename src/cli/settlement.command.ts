import { SettlementStore } from '../invoice/index.js';
import { answer, type Command } from './command.js';

const MOST = 1_000;

export const settlementCommands: readonly Command[] = [
  {
    name: 'settlement list',
    usage: '[--json]',
    summary: 'Settlements that were credited to no wallet and wait for you: refused ones, and those for no invoice of this server',
    async run(app, args, print) {
      const waiting = await app.get(SettlementStore).listToReview(MOST);
      const lines = waiting.map(
        ({ createdAt, outcome, amountMsat, paymentHash, settleIndex, nodeId }) =>
          `${createdAt.toISOString()} ${outcome.padEnd(9)} ${amountMsat ?? 'no'} msat ${paymentHash} index ${settleIndex} node ${nodeId}`,
      );
      if (waiting.length === 0) lines.push('No settlement waits for a look.');
      if (waiting.length === MOST) lines.push(`These are the oldest ${MOST}; there may be more.`);
      answer(args, print, waiting, lines);
    },
  },
];
