import { html, type Html } from '../../edge/page/index.js';
import type { DepositProgress } from '../../money/onchain/index.js';

type Phase = DepositProgress['phase'];

const WORDS: Readonly<Record<Exclude<Phase, 'arriving' | 'credited'>, string>> = {
  gone: 'No longer seen',
  waiting: 'Below the deposit fee',
  held: 'On hold',
  failed: 'Replaced by its sender',
};

export const confirmationsText = ({ phase, confirmations, needed }: DepositProgress): string =>
  phase === 'arriving' ? `${confirmations} of ${needed}` : String(confirmations);

/** How far a deposit is; null once it is credited. */
export function depositWords(deposit: DepositProgress): string | null {
  const { phase, confirmations } = deposit;
  if (phase === 'credited') return null;
  if (phase !== 'arriving') return WORDS[phase];
  return `${confirmations === 0 ? 'Seen, ' : ''}${confirmationsText(deposit)} confirmations`;
}

const REASONS: Readonly<Record<Exclude<Phase, 'arriving' | 'credited'>, string>> = {
  gone: 'The network has dropped this payment, or its sender has replaced it. If it is confirmed after all, it is added to your balance.',
  waiting: 'It is kept, and added to your balance when more arrives at the same address. The deposit fee is taken once, from the sum.',
  held: 'A change in the block chain has taken this deposit out of its block. As much of your balance is on hold until it is confirmed again.',
  failed: 'Another transaction has spent the same coins, so this payment did not arrive. Nothing was added to your balance.',
};

/** What happens to its money; null once it is credited. */
export function depositReason(deposit: DepositProgress): Html | null {
  const words = depositWords(deposit);
  if (words === null || deposit.phase === 'credited') return null;
  const reason =
    deposit.phase === 'arriving'
      ? `It is added to your balance after ${deposit.needed} confirmations, less the deposit fee. A block takes about ten minutes.`
      : REASONS[deposit.phase];
  return html`<b>${words}.</b> ${reason}`;
}
