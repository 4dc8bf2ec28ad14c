import { SettlementStore } from '../invoice/index.js';
import type { Command } from './command.js';

const MOST = 1_000;

export const settlementCommands: readonly Command[] = [
  {
    name: 'settlement list',
    usage: '',
    summary: 'Settlements that were credited to no wallet and wait for you: refused ones, and those for no invoice of this server',
    async run(app, _args, print) {
      const waiting = await app.get(SettlementStore).listToReview(MOST);
      if (waiting.length === 0) return print('No settlement waits for a look.');
      for (const { createdAt, outcome, amountMsat, paymentHash, settleIndex, nodeId } of waiting)
        print(
          `${createdAt.toISOString()} ${outcome.padEnd(9)} ${amountMsat ?? 'no'} msat ${paymentHash} index ${settleIndex} node ${nodeId}`,
        );
      if (waiting.length === MOST) print(`These are the oldest ${MOST}; there may be more.`);
    },
  },
];
