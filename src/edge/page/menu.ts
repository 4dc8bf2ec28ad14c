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
