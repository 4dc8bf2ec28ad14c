import { Injectable } from '@nestjs/common';
import { Throttle } from '../auth/index.js';
import { Database, type Statement } from '../database/index.js';
import { emailOf } from './identity.js';
import { Passwords } from './passwords.js';
import { SessionService } from './session.service.js';
import type { SignInOutcome } from './sign-in.outcome.js';
import { Places } from './turns.js';

/** One try to sign in, as typed. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** The caller's throttling key (`request.address`). */
  readonly address: string;
  readonly userAgent: string;
  readonly purpose: 'page' | 'api';
}

interface Stored {
  readonly id: string;
  readonly passwordHash: string;
}

const STORED: Statement = { name: 'user_password', text: 'SELECT id, password_hash AS "passwordHash" FROM app_user WHERE email = $1' };
const CROWDED_SECONDS = 2;
/**
 * Attempts side by side. Right answers cost nobody anything, so it is this and not a bucket that keeps a few addresses from filling the line
 * for passwords: whoever has no attempt under way may join even when the line is as long as five seconds of work on one core.
 */
const ROOM = { all: 4_096, crowded: 256, each: 32 };

/**
 * Signing in by password. Wrong answers cost, right ones never do:
 * - past `signInAccount` (an account, from one address) the answer to a wrong password becomes "slow down"; the right one still opens,
 *   so nobody can lock the owner out;
 * - past `signInAddress` nothing is compared any more: that is what bounds guessing. The owner's other addresses are not touched;
 * - addresses take turns. There is no such limit for an account: whoever knows its name could use it up.
 */
@Injectable()
export class SignInService {
  private readonly places = new Places(ROOM);

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly sessions: SessionService,
    private readonly throttle: Throttle,
  ) {}

  async signIn(attempt: SignIn): Promise<SignInOutcome> {
    const { address } = attempt;
    const mayTry = (): boolean => !this.throttle.peek('signInAddress', address).isBlocked;
    if (!mayTry()) return this.closed(address);
    const leave = this.places.take(address);
    if (!leave) return { kind: 'slowed_down', retryAfterSeconds: CROWDED_SECONDS };
    try {
      return await this.compare(attempt, mayTry);
    } finally {
      leave();
    }
  }

  private async compare({ email: typed, password, address, userAgent, purpose }: SignIn, mayTry: () => boolean): Promise<SignInOutcome> {
    const email = emailOf(typed);
    // Looked up whatever was typed, so that the time tells as little as the text.
    const [stored] = await this.database.query<Stored>(STORED, [email ?? '']);
    const verdict = await this.passwords.verify(address, stored?.passwordHash ?? null, password, mayTry);
    if (verdict === 'not_tried') return this.closed(address);
    if (verdict === 'wrong' || !stored) return this.wrong(`${email ?? ''} ${address}`, address);
    const opened = await this.sessions.open({ userId: stored.id, passwordHash: stored.passwordHash, purpose, userAgent, address });
    return opened ? { kind: 'signed_in', ...opened, userId: stored.id } : { kind: 'refused' };
  }

  private wrong(account: string, address: string): SignInOutcome {
    const limits = [
      { bucket: 'signInAccount', hit: this.throttle.hit('signInAccount', account) },
      { bucket: 'signInAddress', hit: this.throttle.hit('signInAddress', address) },
    ] as const;
    const reached = limits.find(({ hit }) => hit.isBlocked);
    if (!reached) return { kind: 'refused', limit: limits[0] };
    return { kind: 'slowed_down', retryAfterSeconds: reached.hit.timeToBlockExpire, limit: reached };
  }

  private closed(address: string): SignInOutcome {
    const hit = this.throttle.peek('signInAddress', address);
    return { kind: 'slowed_down', retryAfterSeconds: hit.timeToBlockExpire, limit: { bucket: 'signInAddress', hit } };
  }
}
