import type { Brand } from './brand.js';
import type { PageTime } from './time.js';

export interface Frame extends PageTime {
  readonly brand: Brand;
  /** The banner: a demo, or simulated money in production. `null`: none. */
  readonly banner: 'demo' | 'simulated' | null;
  /** Production without TLS, on a test network. */
  readonly plainHttp?: boolean;
  /** Host of this installation: it issues receipts, and Lightning addresses end in it. */
  readonly host: string;
}

/** The frame of pages for a signed-in person. */
export interface ShellFrame extends Frame {
  readonly email: string;
  /** The navigation leads to the operators' console. */
  readonly isOperator?: boolean;
  /** CSRF token of the session, for every form on the page. */
  readonly csrf: string;
  /** For this response's Content-Security-Policy. */
  readonly nonce: string;
  /** The entries that extensions add to the navigation. */
  readonly menu: readonly MenuEntry[];
  /** Address of the live events, or `null` if the page does not listen. */
  readonly events: string | null;
}

/** An entry of the navigation that an extension adds: a page of its own. */
export interface MenuEntry {
  /** The page's path, which is also its key in the navigation: "/tips". */
  readonly href: `/${string}`;
  /** A word or two: "Tips". */
  readonly label: string;
}

const MAX_LABEL = 30;

/** @throws Error with a sentence that names the extension */
export function checkMenu(extension: string, menu: readonly MenuEntry[], addresses: readonly string[]): void {
  for (const { href, label } of menu) {
    if (!addresses.includes(href))
      throw new Error(`Extension ${extension} must not list ${href} in "menu": none of its controllers serves it`);
    if (label.trim() === '' || label.length > MAX_LABEL)
      throw new Error(`Extension ${extension} lists ${href} in "menu" with the label "${label}": use 1 to ${MAX_LABEL} characters`);
  }
}

export class Menu {
  constructor(readonly entries: readonly MenuEntry[]) {}
}
