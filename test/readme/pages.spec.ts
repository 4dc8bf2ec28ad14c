import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesBelow, ROOT } from '../architecture/files.js';

/** What a person reads in ten minutes. */
const MAX_WORDS = 2_200;
/** The glossary is looked up, as the pages below `reference` are. */
const READ = /^docs\/(?!glossary)[\w-]+\.md$/;

const PATHS = [...filesBelow('docs').filter((path) => path.endsWith('.md')), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string): string => text.replace(/^```[^]*?^```$/gm, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] => [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links of a document to files and headings that do not exist. */
function brokenLinks(path: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)].filter(([, file = '']) => !file.includes(':'));
  return links
    .filter(([, file = '', anchor]) => {
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target === path ? text : read(target)).includes(anchor);
    })
    .map(([link]) => `${path}: ${link.slice(1)}`);
}

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    expect(PATHS.flatMap((path) => brokenLinks(path, read(path)))).toEqual([]);
    const planted = '# A page\n[1](nowhere.md) [2](#a-page) [3](#nowhere) [4](oauth.md#nowhere) [5](webhooks.md)\n```\n[6](code.md)\n```\n';
    expect(brokenLinks('docs/api.md', planted).map((fault) => fault.slice('docs/api.md: '.length))).toEqual([
      '(nowhere.md)',
      '(#nowhere)',
      '(oauth.md#nowhere)',
    ]);
  });

  it('are read in ten minutes each, except for those that are looked up', () => {
    const pages = PATHS.filter((path) => READ.test(path));
    expect(pages.length).toBeGreaterThan(12);
    expect(pages.filter((path) => wordsOf(read(path)) > MAX_WORDS)).toEqual([]);
    expect(wordsOf(read('docs/reference/operations.md'))).toBeGreaterThan(MAX_WORDS);
  });

  it('are all listed in docs/README.md, which fits a screen', () => {
    const index = read('docs/README.md');
    const listed = [...index.matchAll(/\]\(([^)#:]+\.md)\)/g)].map(([, path = '']) => `docs/${path}`);
    const pages = PATHS.filter((path) => /^docs\/(reference\/)?[\w-]+\.md$/.test(path) && path !== 'docs/README.md');
    expect(pages.filter((path) => !listed.includes(path))).toEqual([]);
    expect(index.split('\n').length).toBeLessThan(50);
  });
});
