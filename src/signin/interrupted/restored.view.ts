import { html, notice, type Html } from '../../page/index.js';

/** What became of the input of a form: it was kept or lost; `again`: it had none. */
export type InterruptedInput = 'kept' | 'lost' | 'again';

const NEXT: Readonly<Record<InterruptedInput, string>> = {
  kept: 'Check it and send it again.',
  lost: 'We couldn’t keep what you entered: enter it again.',
  again: 'Confirm it again.',
};

/**
 * Above a form that arrived after its session had ended: the person has to send it again.
 * @param outcome what did not happen: "nothing was created"
 */
export const restoredNotice = (outcome: string, input: InterruptedInput = 'kept'): Html =>
  notice(html`<p><b>Your form wasn’t sent.</b> You were signed out before it arrived, so ${outcome}. ${NEXT[input]}</p>`);
