import { html, notice, type Html } from '../../page/index.js';

/**
 * Above a form that arrived after its session had ended: the person has to send it again.
 * @param outcome what did not happen: "nothing was created"
 */
export const restoredNotice = (outcome: string): Html =>
  notice(
    html`<p>
      <b>Your form wasn’t sent.</b> You were signed out before it arrived, so ${outcome}. Check what you entered and send it again.
    </p>`,
  );
