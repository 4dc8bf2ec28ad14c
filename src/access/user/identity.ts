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

/** A well-formed username for a person who has not chosen one. @param wished as their provider writes it */
export function personNameOf(wished: string | undefined, email: string): string {
  const [base = ''] = (wished || email).split('@', 1);
  const name = base
    .toLowerCase()
    .replace(/[^0-9a-z_]+/g, '_')
    .slice(0, USERNAME_CHARACTERS.max);
  return USERNAME.test(name) && !isReservedName(name) ? name : `user_${name}`.slice(0, USERNAME_CHARACTERS.max);
}

/** Candidates in place of a taken `username`: three times as many as are shown, the most similar first. */
export function namesLike(username: string, random: () => number = Math.random): string[] {
  const base = username.slice(0, USERNAME_CHARACTERS.max - 5);
  const number = (digits: number): number => 10 ** (digits - 1) + Math.floor(random() * 9 * 10 ** (digits - 1));
  const names = [2, 3, 4].flatMap((digits) => [`${base}${number(digits)}`, `${base}_${number(digits)}`]);
  return names.filter((name) => USERNAME.test(name) && !isReservedName(name));
}

/** Names that a person could use to pose as the operator, or that mail and web servers give a meaning (RFC 2142). */
const RESERVED: readonly string[] = (
  'abuse alerts contact email ftp hostmaster imap info mail mailerdaemon marketing news newsletter noc noreply notification notifications postmaster sales security smtp webmail www ' +
  'admin administrator administration api ceo cfo compliance coo cto customercare customerservice customersupport founder help helpdesk mod moderator moderation official operator operators owner service services staff status superuser support sysadmin system team webmaster root ' +
  'account accounts accounting audit bank billing bonus cashier deposit deposits exchange fee fees finance fraud fund funds giveaway invoice invoices kyc legal login password pay payment payments payout payouts privacy recovery refund refunds reserve reserves reward rewards signin sluice terms treasury verification verified verify wallet wallets withdraw withdrawal withdrawals ' +
  'anonymous null undefined'
).split(' ');
const LOOKS_LIKE: Readonly<Record<string, string>> = { 0: 'o', 1: '[il]', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** Also one that looks like a reserved name, by its digits or once these are left out. An existing account keeps its name. */
export function isReservedName(username: string): boolean {
  const readings = [username, username.replace(/^[\d_]+|[\d_]+$/g, ''), username.replace(/\d/g, '')];
  return readings.some((reading) => {
    const pattern = new RegExp(`^${reading.replaceAll('_', '').replace(/\d/g, (digit) => LOOKS_LIKE[digit] ?? digit)}$`);
    return RESERVED.some((name) => pattern.test(name));
  });
}
