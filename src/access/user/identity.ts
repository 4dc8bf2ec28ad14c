import { isEmail } from 'class-validator';
import { USERNAME } from '../../platform/kernel/form.js';
import { isStorable } from '../../platform/kernel/text.js';

export const USERNAME_CHARACTERS = { min: 3, max: 50 } as const;

export const PASSWORD_CHARACTERS = { min: 10, max: 256 } as const;

/** Longer than any address or name with the space around it. The time to normalise is quadratic in the length. */
const MAX_TYPED = 512;

/** Normal form of an address or name: case and surrounding space do not matter; empty if it can be neither. */
const spelling = (text: string): string => (text.length > MAX_TYPED || !isStorable(text) ? '' : text.trim().normalize('NFC').toLowerCase());

export function emailOf(text: string): string | undefined {
  const email = spelling(text);
  return isEmail(email) ? email : undefined;
}

export function usernameOf(text: string): string | undefined {
  const username = spelling(text);
  return USERNAME.test(username) ? username : undefined;
}

export function faultOfPassword(password: string): string | undefined {
  const characters = [...password].length;
  if (characters < PASSWORD_CHARACTERS.min) return `Use at least ${PASSWORD_CHARACTERS.min} characters. You typed ${characters}.`;
  if (characters > PASSWORD_CHARACTERS.max) return `Use at most ${PASSWORD_CHARACTERS.max} characters. You typed ${characters}.`;
  return undefined;
}

/** Candidates in place of a taken `username`: three times as many as are shown, the most similar first. */
export function namesLike(username: string, random: () => number = Math.random): string[] {
  const base = username.slice(0, USERNAME_CHARACTERS.max - 5);
  const number = (digits: number): number => 10 ** (digits - 1) + Math.floor(random() * 9 * 10 ** (digits - 1));
  const names = [2, 3, 4].flatMap((digits) => [`${base}${number(digits)}`, `${base}_${number(digits)}`]);
  return names.filter((name) => USERNAME.test(name));
}
