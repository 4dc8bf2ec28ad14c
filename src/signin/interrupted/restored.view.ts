import { html, notice } from '../../page/index.js';

/** Above a form that arrived after its session had ended: the person has to send it again. */
export const restoredNotice = notice(
  html`<p>
    <b>Your form wasn’t sent.</b> You were signed out before it arrived, so nothing was created. Check what you entered and send it again.
  </p>`,
);
