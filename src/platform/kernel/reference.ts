import { randomInt } from 'node:crypto';

/** Letters and digits that people do not confuse, in writing or by telephone. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const four = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** The response to an unexpected error shows it, and the log repeats it: "R7QK-2M4D". */
export const newReference = (): string => `${four()}-${four()}`;
