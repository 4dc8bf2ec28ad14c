import { html, type Html } from './html.js';

/** Longest name from outside that a page shows, in characters. */
export const NAME_LENGTH = 64;

/** White space of any kind, line and paragraph separators included. */
const SPACE = /[\s\u0085]+/g;
/** Control characters, soft hyphen, bidi marks, embeddings and isolates, zero-width spaces, annotation marks, lone surrogates: whatever can reorder, hide or break the text around it. */
const UNSAFE = /\p{Cc}|\p{Surrogate}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(text: string, length: number): string {
  let kept = '';
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    // A single "character" may be a letter under thousands of accents, so code points are counted, not graphemes.
    count += Array.from(segment).length;
    if (count > length - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * A name, memo or other words of somebody else as plain text: one line, no control or bidi characters, at most `length` characters.
 * For titles and attributes; in a page's text use `outside`.
 */
export function outsideText(text: string, length: number = NAME_LENGTH): string {
  // Nothing may cost more because somebody sent more: 64 characters never need more than this to be found.
  const clean = text
    .slice(0, length * 64)
    .replace(SPACE, ' ')
    .replace(UNSAFE, '')
    .trim();
  if (clean === '') return '(no name)';
  return Array.from(clean).length > length ? cut(clean, length) : clean;
}

/** The same, isolated: its direction cannot reach the words around it. */
export const outside = (text: string, length: number = NAME_LENGTH): Html => html`<bdi>${outsideText(text, length)}</bdi>`;
