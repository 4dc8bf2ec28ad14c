import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../edge/rate-limit/index.js';
import { emailOf, Passwords } from '../user/index.js';
import { DeviceCookie, type Device } from './device-cookie.js';
import { SessionOpener, type SignInCaller, type SignInOutcome } from './session-opener.js';
import { SignInTickets, type StoredUser } from './sign-in-tickets.js';

export interface SignInAttempt extends SignInCaller {
  readonly email: string;
  readonly password: string;
  /** Of the person's factor, where the caller sends it with the password. */
  readonly code?: string | undefined;
  readonly isGone?: () => boolean;
}

type SignInPolicy = 'signInAccount' | 'signInAddress' | 'signInDevice';

/** `not_tried`: a limit was reached before this attempt's turn. */
type Tried = SignInOutcome | 'not_tried';

const CROWDED_SECONDS = 2;

/**
 * Sign-in by password. Only wrong answers use up limits:
 * - a browser in which the owner has signed in before sends a device cookie. It gives the account that it names a queue and a limit
 *   (`signInDevice`) of its own, which no stranger can use up or fill. For any other account it is ignored;
 * - past `signInAccount` (an account, from one address) the response to a wrong password becomes "slow down"; the right one still opens;
 * - past `signInAddress` no password of that address is compared until the window ends: this bounds guessing. Other addresses are not affected;
 * - addresses take turns. An account has no such limit: any caller that knows its name could use it up.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly tickets: SignInTickets,
    private readonly passwords: Passwords,
    private readonly opener: SessionOpener,
    private readonly devices: DeviceCookie,
    private readonly limiter: RateLimiter,
  ) {}

  async signIn(attempt: SignInAttempt): Promise<SignInOutcome> {
    const device = this.devices.read(attempt.device);
    const known = device ? await this.asKnown(attempt, device) : 'not_tried';
    return known === 'not_tried' ? this.asStranger(attempt) : known;
  }

  /** False: people sign in through the company alone. */
  get isOpen(): boolean {
    return this.passwords.signIn;
  }

  /** Without a password. @param binding the browser's pre-session */
  async byPasskey(binding: string, caller: SignInCaller, response: string): Promise<SignInOutcome> {
    // A person whom the company has removed must not come in past its directory.
    if (!this.isOpen) return { kind: 'refused' };
    return this.opener.withPasskey(binding, caller, response);
  }

  /** In the queue of the account that the device cookie names. `not_tried`: it names another, or a limit of it is reached. */
  private async asKnown(attempt: SignInAttempt, { id, userId }: Device): Promise<Tried> {
    const mayTry = async (): Promise<boolean> => !(await this.isUsedUp('signInDevice', id));
    if (!(await mayTry())) return 'not_tried';
    const stored = await this.tickets.find(attempt.email);
    if (stored?.id !== userId) return 'not_tried';
    const verdict = await this.passwords.verify(userId, stored.passwordHash, attempt.password, mayTry, 'known');
    if (verdict === 'not_tried' || verdict === 'busy') return 'not_tried';
    return verdict === 'right' ? this.open(attempt, stored) : this.wrong({ signInDevice: id });
  }

  private async asStranger(attempt: SignInAttempt): Promise<SignInOutcome> {
    const { address, password, isGone = () => false } = attempt;
    const mayTry = async (): Promise<boolean> => !isGone() && !(await this.isUsedUp('signInAddress', address));
    if (!(await mayTry())) return this.closed(address);
    // Looked up even for an invalid address, so that timing reveals no more than the text.
    const stored = await this.tickets.find(attempt.email);
    const verdict = await this.passwords.verify(address, stored?.passwordHash ?? null, password, mayTry);
    if (verdict === 'busy') return { kind: 'slowed_down', retryAfterSeconds: CROWDED_SECONDS };
    if (verdict === 'not_tried') return this.closed(address);
    if (verdict === 'right' && stored) return this.open(attempt, stored);
    return this.wrong({ signInAccount: `${emailOf(attempt.email) ?? ''} ${address}`, signInAddress: address });
  }

  private async isUsedUp(policy: SignInPolicy, key: string): Promise<boolean> {
    return (await this.limiter.peek(policy, key)).isBlocked;
  }

  /** Counts a wrong answer under these policies, the narrowest first. */
  private async wrong(keys: Partial<Record<SignInPolicy, string>>): Promise<SignInOutcome> {
    const limits = await Promise.all(Object.entries(keys).map(([policy, key]) => this.limiter.consume(policy as SignInPolicy, key)));
    const reached = limits.find(({ isBlocked }) => isBlocked);
    if (reached) return { kind: 'slowed_down', retryAfterSeconds: reached.resetSeconds, limit: reached };
    return { kind: 'refused', ...(limits[0] && { limit: limits[0] }) };
  }

  private async closed(address: string): Promise<SignInOutcome> {
    const limit = await this.limiter.peek('signInAddress', address);
    return { kind: 'slowed_down', retryAfterSeconds: limit.resetSeconds, limit };
  }

  private open(attempt: SignInAttempt, stored: StoredUser): Promise<SignInOutcome> {
    return this.opener.afterPassword(stored, attempt, attempt.code);
  }
}
