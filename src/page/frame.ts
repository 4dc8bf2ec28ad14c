import type { Clockwork } from './time.js';

/** What every page needs besides its own content. `Pages` makes it. */
export interface Frame extends Clockwork {
  /** What the banner says: this is a demo, or the money is simulated in production. `null` shows none. */
  readonly banner: 'demo' | 'simulated' | null;
}

/** The frame of pages for somebody who is signed in. */
export interface ShellFrame extends Frame {
  readonly email: string;
  /** Of this installation: it issues the receipts, and Lightning addresses end in it. */
  readonly host: string;
  /** Token of the session, for every form on the page. */
  readonly csrf: string;
  /** Of this answer's Content-Security-Policy. */
  readonly nonce: string;
  /** Address of the live events, or `null` where the page does not listen. */
  readonly events: string | null;
}
