import { SettlementStore, type ClaimOutcome } from '../invoice/index.js';
import { HEX_32 } from '../kernel/form.js';
import { accountNamed } from './account-name.js';
import { CommandError, JSON_OPTION, printResult, required, text, UsageError, type Command } from './command.js';
import { operatorName } from './operator-name.js';

const MAX_ROWS = 1_000;

const REFUSALS: Readonly<Record<Exclude<ClaimOutcome, 'booked'>, string>> = {
  unknown: 'No unclaimed settlement has this payment hash, or it was booked before. "settlement list" shows them',
  no_wallet: 'There is no account with this id',
  refused: 'The ledger refused it. Run "audit". Nothing was changed',
};

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
  {
    name: 'settlement book',
    summary: 'Books a settlement of an unknown invoice to the wallet of its recipient',
    arguments: '<hash>',
    requiredOptions: {
      '--to <account>': 'the recipient: the id of an account, or the e-mail address or the username of its user',
      '--because <text>': 'your finding, for the log of operators',
    },
    options: JSON_OPTION,
    details: ['To return the money instead, book it to a wallet of yours, and pay the sender from there.'],
    async run(app, args, print) {
      const [hash, because] = [required(args, 'The payment hash').toLowerCase(), text(args, 'because')?.trim()];
      if (!HEX_32.test(hash)) throw new UsageError('The payment hash must be 64 hexadecimal digits; "settlement list" shows them');
      if (!because) throw new UsageError('--because must not be empty');
      const account = await accountNamed(app, text(args, 'to') ?? '');
      const outcome = await app.get(SettlementStore).claim(hash, account, operatorName(), because);
      if (outcome !== 'booked') throw new CommandError(REFUSALS[outcome]);
      printResult(args, print, { paymentHash: hash, account }, [`Booked: ${hash} to account ${account}.`]);
    },
  },
];
