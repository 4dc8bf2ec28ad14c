import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../edge/auth/index.js';
import { RateLimiter, type RateLimitResult } from '../../edge/rate-limit/index.js';
import { Factors, type GuessLimit } from '../factor/index.js';
import { Passwords } from '../user/index.js';
import { AMR, SessionService, type IdentityProof } from './session.service.js';
import { SignInTickets, type StoredUser } from './sign-in-tickets.js';

export type StepUpOutcome =
  /** The session continues under this token. */
  | { readonly kind: 'confirmed'; readonly token: string }
  | { readonly kind: 'wrong'; readonly limit: RateLimitResult }
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit: RateLimitResult }
  /** The session ended meanwhile. */
  | { readonly kind: 'ended' };

/** A signed-in person proves again who they are: with their factor or, without one, with the password. Wrong answers count for this session only. */
@Injectable()
export class StepUp {
  constructor(
    private readonly tickets: SignInTickets,
    private readonly passwords: Passwords,
    private readonly factors: Factors,
    private readonly limiter: RateLimiter,
    private readonly sessions: SessionService,
  ) {}

  /** @param proof a code, or the password of a person without a factor @throws TurnRefusedError */
  async confirm(visitor: Visitor, proof: string): Promise<StepUpOutcome> {
    const user = await this.tickets.find(visitor.user.email);
    if (!user) return { kind: 'ended' };
    const guesses = { policy: 'signInDevice', key: visitor.session.id } as const;
    const refused = user.hasFactor ? await this.refuseCode(user, proof, guesses) : await this.refusePassword(user, proof, guesses);
    if (refused) return refusalOf(refused);
    return this.renew(visitor, user.hasFactor ? AMR.code.slice(1) : AMR.password);
  }

  /**
   * The password, also of a person with a factor.
   * @returns the stored user, so that a change can require that the password has not changed meanwhile
   */
  async checkPassword(
    { user: { email }, session }: Visitor,
    password: string,
  ): Promise<StoredUser | Exclude<StepUpOutcome, { kind: 'confirmed' }>> {
    const user = await this.tickets.find(email);
    const refused = user && (await this.refusePassword(user, password, { policy: 'signInDevice', key: session.id }));
    return refused ? refusalOf(refused) : (user ?? { kind: 'ended' });
  }

  /** By their identity provider. @returns `ended` also for a person with a factor of this server, unless the proof has `mfa` */
  async byProvider(visitor: Visitor, { authTime, amr }: IdentityProof): Promise<StepUpOutcome> {
    const user = await this.tickets.findById(visitor.user.id);
    return !user || (user.hasFactor && !amr.includes('mfa')) ? { kind: 'ended' } : this.renew(visitor, amr, authTime);
  }

  /** After the proof, or after a change that is one itself. */
  async renew(visitor: Visitor, amr: readonly string[], provedAt?: Date): Promise<StepUpOutcome> {
    const token = await this.sessions.renew(visitor, amr, provedAt);
    return token === null ? { kind: 'ended' } : { kind: 'confirmed', token };
  }

  private async refuseCode({ id }: StoredUser, code: string, guesses: GuessLimit): Promise<RateLimitResult | null> {
    const checked = await this.factors.verify(id, code, guesses);
    return checked.kind === 'right' ? null : checked.limit;
  }

  private async refusePassword({ id, passwordHash }: StoredUser, password: string, guesses: GuessLimit): Promise<RateLimitResult | null> {
    const { policy, key } = guesses;
    const mayTry = async (): Promise<boolean> => !(await this.limiter.peek(policy, key)).isBlocked;
    const verdict = await this.passwords.verify(id, passwordHash, password, mayTry, 'known');
    if (verdict === 'right') return null;
    return verdict === 'wrong' ? this.limiter.consume(policy, key) : { ...(await this.limiter.peek(policy, key)), isBlocked: true };
  }
}

const refusalOf = (limit: RateLimitResult): Exclude<StepUpOutcome, { kind: 'confirmed' | 'ended' }> =>
  limit.isBlocked ? { kind: 'slowed_down', retryAfterSeconds: limit.resetSeconds, limit } : { kind: 'wrong', limit };
