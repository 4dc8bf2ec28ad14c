import { orNone } from './or-none.js';

/** Arrays and objects inside one another; no request of the API needs ten. */
const MAX_DEPTH = 64;
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?/y;
const SHOWN_CHARACTERS = 40;

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [34, 92, 45, 48, 57];
const COLON = 58;
const BLANK = /[ \t\n\r]*/y;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Refuses what `JSON.parse` would accept: nesting, which takes a hundred times as long to parse and would exceed the stack of readers;
 * fractions that would be rounded to whole numbers, such as an amount of 1.99999999999999999; and two values under one name, of which
 * readers take different ones (RFC 8259, section 4).
 */
export function faultOfJson(text: string): string | undefined {
  // The names in each array and object that is open; an array has none.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const name = open.length > 0 && isName(text, end) ? nameIn(text.slice(at, end + 1)) : undefined;
      // The parser refuses the text. An error for each such name would take longer than all else of a request.
      if (name === null) return undefined;
      if (name !== undefined && isTaken(open, name))
        return `The name ${JSON.stringify(name.slice(0, SHOWN_CHARACTERS))} stands twice in one object of the JSON`;
      at = end;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (open.push(undefined) > MAX_DEPTH) return `The JSON is nested more than ${MAX_DEPTH} levels deep`;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open.pop();
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at;
      const [number = '-', whole = '', fraction, exponent] = NUMBER.exec(text) ?? [];
      if (isRounded(number, whole, fraction, exponent))
        return `The number ${number.slice(0, SHOWN_CHARACTERS)} has more digits than a number can hold: it would be read as ${Number(number)}`;
      at += number.length - 1;
    }
  }
  return undefined;
}

/** The first of these faults alone: outside services may write numbers and names as they like. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** In JSON, a colon follows names only. */
function isName(text: string, end: number): boolean {
  BLANK.lastIndex = end + 1;
  BLANK.exec(text);
  return text.charCodeAt(BLANK.lastIndex) === COLON;
}

/** Null for an escape that is none. */
function nameIn(quoted: string): string | null {
  return quoted.includes('\\') ? (orNone(() => JSON.parse(quoted) as string) ?? null) : quoted.slice(1, -1);
}

function isTaken(open: (Set<string> | undefined)[], name: string): boolean {
  const names = (open[open.length - 1] ??= new Set());
  return names.size === names.add(name).size;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // The quote is escaped by an odd number of backslashes.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function isRounded(number: string, whole: string, fraction = '', exponent = '0'): boolean {
  if ((fraction === '' && exponent === '0') || !Number.isInteger(Number(number))) return false;
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  const isZero = end === 0;
  return !isZero && digits.length - end < fraction.length - Number(exponent);
}
