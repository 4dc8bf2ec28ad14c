import { html, type Html } from '../../edge/page/index.js';
import { SPEEDS, type PayoutProgress } from '../../money/payment/index.js';

type OnItsWay = Exclude<PayoutProgress['state'], 'cancelled'>;

const WORDS: Readonly<Record<OnItsWay, string>> = {
  queued: 'Waiting to be sent',
  batched: 'Being sent',
  broadcast: 'Sent, not confirmed yet',
  confirmed: 'Confirmed',
};

const REASONS: Readonly<Record<OnItsWay, (speed: PayoutProgress['speed']) => string>> = {
  queued: (speed) => `It leaves with the next transaction of its speed, ${SPEEDS[speed].displayName}. Its money is reserved until then.`,
  batched: () => 'Its bitcoin transaction is made now.',
  broadcast: () => 'Its bitcoin transaction waits for a block. What it costs less than the reserved fee comes back to your balance.',
  confirmed: () => '',
};

/** How far a payment to an address is that has not ended; null for a cancelled one, which has failed. */
export const payoutWords = ({ state }: PayoutProgress): string | null => (state === 'cancelled' ? null : WORDS[state]);

export const payoutReason = ({ state, speed }: PayoutProgress): Html | null =>
  state === 'cancelled' ? null : html`<b>${WORDS[state]}.</b> ${REASONS[state](speed)}`;
