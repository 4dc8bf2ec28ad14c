import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { PROJECT } from './server-process.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];
const executablePath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
const PICTURES = join(PROJECT, 'test/output/screenshots');
/** `PICTURES=1 npm test -- test/browser` saves a picture of every page; otherwise only pages with faults have one, because pictures take long. */
const SAVES_PICTURES = (process.env['PICTURES'] ?? '') !== '';
const AXE = readFileSync(createRequire(join(PROJECT, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules about colours: no other depends on the colour scheme, and a run of all takes several times as long. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** The rules that depend on places and sizes. What the others find depends on the elements that are shown, and on nothing else of a width. */
const LAYOUT_RULES = [...COLOUR_RULES, 'target-size', 'scrollable-region-focusable', 'skip-link'];
/** Remembers how each element is shown in this colour scheme: hidden, or in which colours. */
const REMEMBER = `globalThis.lookOf = (element) => {
  const { color, backgroundColor } = getComputedStyle(element);
  return element.checkVisibility() ? color + ' on ' + backgroundColor : 'hidden';
};
globalThis.remembered = Object.assign(globalThis.remembered ?? {}, {
  [matchMedia('(prefers-color-scheme: dark)').matches]: new Map([...document.body.querySelectorAll('*')].map((element) => [element, lookOf(element)])),
});`;
/** What has become of it: an element that appears counts with all that it is, another with its classes. */
const CHANGES = `[...document.body.querySelectorAll('*')].flatMap((element) => {
  const before = remembered[matchMedia('(prefers-color-scheme: dark)').matches].get(element);
  const now = lookOf(element);
  const what = before === 'hidden' ? element.outerHTML : element.localName + '.' + element.className;
  return before === now ? [] : [what + ': ' + before + ', then ' + now];
})`;

/** Tests that need a browser: where none is installed, Jest skips these alone and lists them by name. */
export const describeInBrowser = executablePath ? describe : describe.skip;

/** A window width and a colour scheme. */
interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

const SCHEMES = ['light', 'dark'] as const;
/** What a keyboard cannot reach, or reaches without showing it: after a press of Tab, a focus that a script sets counts as one of the keyboard. */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter((element) => element.checkVisibility() && !element.disabled)
  .flatMap((element) => {
    element.focus();
    // A link that covers its row shows its focus there.
    const outlined = [[element], [element, '::after'], [element.closest('label') ?? element]].some((shown) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(...shown);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    const fault = document.activeElement !== element ? 'gets no focus' : outlined ? null : 'does not show its focus';
    element.blur();
    return fault === null ? [] : [fault + ': ' + element.outerHTML.slice(0, 200)];
  })`;
/** The narrowest is the one that WCAG 2.2 requires (1.4.10, reflow). */
const WIDTHS: readonly number[] = [320, 1280];
const HEIGHT = 900;
/** As of `eventually`: for what never comes, not for slow machines. */
const WITHIN_MS = 240_000;
/** Changes of the text that must cut off or push out nothing (WCAG 1.4.4 and 1.4.12). */
const TEXTS: Readonly<Record<string, string>> = {
  'as it is': '',
  'twice as large': 'html { font-size: 200% }',
  'spaced out':
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
};

export function launchChromium(): Promise<Browser> {
  if (!executablePath) throw new Error('There is no Chromium here');
  // Chromium cannot create a sandbox as root.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** A person at a browser of their own: their cookies, one tab, and every error and warning of the browser. */
export class Tab {
  readonly complaints: string[] = [];
  /** What has changed from the wide window to the narrow one, on the pages so far. */
  private readonly knownChanges = new Set<string>();

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // A 4xx for a page of ours is what the test asked for.
      const isAnswer = message.location().url === page.url() && message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isAnswer) this.complaints.push(`${page.url()}: ${message.text()}`);
    });
  }

  static async open(browser: Browser, { script = true, width = 1280 } = {}): Promise<Tab> {
    const context = await browser.newContext({ javaScriptEnabled: script, viewport: { width, height: HEIGHT } });
    context.setDefaultTimeout(WITHIN_MS);
    return new Tab(context, await context.newPage());
  }

  /** Gives every page that is opened from now on what inspects it: sent once, instead of with each inspection. */
  async inspectsMany(): Promise<void> {
    await this.page.addInitScript(AXE);
  }

  private async look({ width, scheme }: Look): Promise<void> {
    await this.widen(width);
    await this.page.emulateMedia({ colorScheme: scheme });
  }

  private async widen(width: number): Promise<void> {
    if (this.page.viewportSize()?.width !== width) await this.page.setViewportSize({ width, height: HEIGHT });
  }

  /** Saves a picture of the whole page for people to look at, if it is wanted. */
  async picture(name: string, isWanted = SAVES_PICTURES): Promise<void> {
    if (!isWanted) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }

  /** The violations that axe-core finds on the page as it is, one line each: of these rules, or of all. */
  async findings(rules?: readonly string[]): Promise<string[]> {
    // The whole result names every element of the page, which takes longer than the inspection.
    const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: RULES };
    const onlyViolations = `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(({ violations }) => violations)`;
    const askIfThere = `typeof axe === 'undefined' ? null : ${onlyViolations}`;
    let violations = await this.page.evaluate<readonly Violation[] | null>(askIfThere);
    if (violations === null) {
      await this.page.evaluate(AXE);
      violations = await this.page.evaluate<readonly Violation[]>(onlyViolations);
    }
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  }

  /**
   * By how many pixels the page exceeds the width, with each of the styles on top of its own; the Content-Security-Policy does not apply to
   * a stylesheet that a script creates.
   */
  private async overflows(width: number, styles: readonly string[]): Promise<readonly number[]> {
    await this.widen(width);
    return this.page.evaluate<number[]>(`${JSON.stringify(styles)}.map((css) => {
      document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0].replaceSync(css);
      const exceeds = Math.max(document.documentElement.scrollWidth, innerWidth) - ${width};
      document.adoptedStyleSheets = [];
      return exceeds;
    })`);
  }

  /** What a person with a keyboard alone does not reach, or reaches without seeing it. */
  async unreached(): Promise<string[]> {
    await this.page.keyboard.press('Tab');
    return this.page.evaluate<string[]>(UNREACHED);
  }

  /** What axe-core finds in a look. It keeps a picture where that is a fault. */
  private async faultsIn(look: Look, name: string, rules?: readonly string[]): Promise<string[]> {
    await this.look(look);
    const findings = await this.findings(rules);
    await this.picture(`${name}-${look.width}-${look.scheme}`, SAVES_PICTURES || findings.length > 0);
    return findings.map((finding) => `${look.width} ${look.scheme}: ${finding}`);
  }

  /**
   * Inspects the page in every width, colour scheme and text size, and keeps pictures of those with faults. In the narrow window all rules, and
   * those of dark colours, are for pages that hide, show or colour there what no page before them did.
   * @returns all faults
   */
  async inspect(name: string): Promise<string[]> {
    const faults: string[] = [];
    for (const scheme of SCHEMES) {
      faults.push(...(await this.faultsIn({ width: 1280, scheme }, name, scheme === 'dark' ? COLOUR_RULES : undefined)));
      await this.page.evaluate(REMEMBER);
    }
    for (const scheme of SCHEMES.toReversed()) {
      const look = { width: 390, scheme };
      await this.look(look);
      const changes = await this.page.evaluate<readonly string[]>(CHANGES);
      const isNew = changes.some((change) => !this.knownChanges.has(change));
      for (const change of changes) this.knownChanges.add(change);
      if (scheme === 'light') faults.push(...(await this.faultsIn(look, name, isNew ? undefined : LAYOUT_RULES)));
      else if (isNew || SAVES_PICTURES) faults.push(...(await this.faultsIn(look, name, COLOUR_RULES)));
    }
    const texts = Object.keys(TEXTS);
    for (const width of WIDTHS) {
      const overflows = await this.overflows(width, Object.values(TEXTS));
      const tooWide = overflows.flatMap((overflow, n) =>
        overflow === 0 ? [] : [`text ${texts[n]}: the page is ${overflow} pixels too wide`],
      );
      faults.push(...tooWide.map((fault) => `${width}, ${fault}`));
    }
    return [...faults, ...this.complaints.splice(0)];
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** A rule of axe-core, and the elements that violate it. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
