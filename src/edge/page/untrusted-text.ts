import { html, type Html } from './html.js';

export const NAME_LENGTH = 64;

const SPACE = /[\s\u0085]+/g;
/**
 * These can reorder, hide or break the text around them: bidi marks, embeddings and isolates, zero-width spaces, lone surrogates and
 * others.
 */
const UNSAFE = /\p{Cc}|\p{Surrogate}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(text: string, length: number): string {
  let kept = '';
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    // Counts code points, not graphemes: one grapheme may be a letter under thousands of accents.
    count += Array.from(segment).length;
    if (count > length - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** One line, no control or bidi characters, at most `length` characters. For titles and attributes; a page's text takes `untrustedText`. */
export function outsideText(text: string, length: number = NAME_LENGTH): string {
  // Bounds the work for long input: 64 times the length is always enough to find the characters to keep.
  const clean = text
    .slice(0, length * 64)
    .replace(SPACE, ' ')
    .replace(UNSAFE, '')
    .trim();
  if (clean === '') return '(no name)';
  return Array.from(clean).length > length ? cut(clean, length) : clean;
}

/** The same, isolated: its direction cannot affect the words around it. */
export const untrustedText = (text: string, length: number = NAME_LENGTH): Html => html`<bdi>${outsideText(text, length)}</bdi>`;
