import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The pages for authors of extensions, in the order in which their files build on each other. */
export const GUIDE_PAGES = [
  ...['extending', 'extending-tipping', 'extending-ports', 'extending-services', 'extending-tables', 'extending-lightning'],
].map((page) => `docs/${page}.md`);
export const GUIDE = GUIDE_PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');

/** A file that the guide shows: a code block with its path in the first line. */
export interface GuideFile {
  readonly path: string;
  readonly text: string;
}

/** JSON has no comments; the guide shows one such file. */
const PACKAGE = 'package.json';
const NAME = /^(?:\/\/|#) (\S+\.\w+)\n/;

/**
 * The files of a guide, in its order.
 * @throws Error for a code block without the name of a file: no test could compile it
 */
export function filesIn(markdown: string): GuideFile[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, language]) => language !== 'sh');
  return blocks.map(([, language, text = '']) => {
    const path = language === 'json' ? PACKAGE : NAME.exec(text)?.[1];
    if (path === undefined) throw new Error(`A code block has no name of a file in its first line:\n${text}`);
    return { path, text };
  });
}
