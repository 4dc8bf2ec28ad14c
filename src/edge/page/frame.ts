import type { MenuEntry } from './menu.js';
import type { PageTime } from './time.js';

export interface Frame extends PageTime {
  /** The banner: a demo, or simulated money in production. `null`: none. */
  readonly banner: 'demo' | 'simulated' | null;
  /** Host of this installation: it issues receipts, and Lightning addresses end in it. */
  readonly host: string;
}

/** The frame of pages for a signed-in person. */
export interface ShellFrame extends Frame {
  readonly email: string;
  /** CSRF token of the session, for every form on the page. */
  readonly csrf: string;
  /** For this response's Content-Security-Policy. */
  readonly nonce: string;
  /** The entries that extensions add to the navigation. */
  readonly menu: readonly MenuEntry[];
  /** Address of the live events, or `null` if the page does not listen. */
  readonly events: string | null;
}
