import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf } from '../../platform/database/index.js';
import { RateLimiter, type RateLimitResult } from '../../edge/rate-limit/index.js';
import { emailOf, Passwords, UserEntity } from '../user/index.js';
import { DeviceCookie, type Device } from './device-cookie.js';
import { SessionService } from './session.service.js';

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly userAgent: string;
  readonly purpose: 'page' | 'api';
  readonly device?: string | undefined;
  readonly isGone?: () => boolean;
}

export type SignInOutcome =
  /** Only the hash of the token is stored. `device` is the value of the browser's device cookie. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly sessionId: string; readonly userId: string; readonly device: string }
  /** One outcome for an unknown address and a wrong password. */
  | { readonly kind: 'refused'; readonly limit?: RateLimitResult }
  /** Too many wrong answers, or (without a limit) too many concurrent attempts. Says nothing about the password. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit?: RateLimitResult };

type SignInPolicy = 'signInAccount' | 'signInAddress' | 'signInDevice';

const STORED = columns(UserEntity).only('id', 'passwordHash');
type StoredUser = RowOf<typeof STORED>;

/** `not_tried`: a limit was reached before this attempt's turn. */
type Tried = SignInOutcome | 'not_tried';

const FIND = sql`SELECT ${STORED.of('u')} FROM app_user u WHERE u.email = $1`;
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
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly sessions: SessionService,
    private readonly devices: DeviceCookie,
    private readonly limiter: RateLimiter,
  ) {}

  async signIn(attempt: SignInAttempt): Promise<SignInOutcome> {
    const device = this.devices.read(attempt.device);
    const known = device ? await this.asKnown(attempt, device) : 'not_tried';
    return known === 'not_tried' ? this.asStranger(attempt) : known;
  }

  /** In the queue of the account that the device cookie names. `not_tried`: it names another, or a limit of it is reached. */
  private async asKnown(attempt: SignInAttempt, { id, userId }: Device): Promise<Tried> {
    const mayTry = async (): Promise<boolean> => !(await this.isUsedUp('signInDevice', id));
    if (!(await mayTry())) return 'not_tried';
    const stored = await this.storedOf(attempt);
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
    const stored = await this.storedOf(attempt);
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

  private async storedOf({ email }: SignInAttempt): Promise<StoredUser | undefined> {
    const [stored] = await this.database.query<StoredUser>(FIND, [emailOf(email) ?? '']);
    return stored;
  }

  private async open({ purpose, userAgent, address, device }: SignInAttempt, { id, passwordHash }: StoredUser): Promise<SignInOutcome> {
    // A script has no cookies.
    const isNewBrowser = purpose === 'page' && this.devices.read(device)?.userId !== id;
    const opened = await this.sessions.open({ userId: id, passwordHash, purpose, userAgent, address, isNewBrowser });
    return opened ? { kind: 'signed_in', ...opened, userId: id, device: this.devices.make(id) } : { kind: 'refused' };
  }
}
