import { html, notice } from '../../page/index.js';

/** Above a form that was sent when its session had ended: only its person sends it, and only now. */
export const restoredNotice = notice(
  html`<p>
    <b>Your form wasn’t sent.</b> You were signed out before it arrived, so nothing was created. Check what you entered and send it again.
  </p>`,
);
