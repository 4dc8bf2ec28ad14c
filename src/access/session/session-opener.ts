import { Injectable } from '@nestjs/common';
import type { RateLimitResult } from '../../edge/rate-limit/index.js';
import { Factors, Passkeys, type FactorCheck } from '../factor/index.js';
import { DeviceCookie } from './device-cookie.js';
import { AMR, SessionService, type IdentityProof } from './session.service.js';
import type { SessionEntity } from './session.entity.js';
import { SignInTickets, type StoredUser, type TicketUser } from './sign-in-tickets.js';

/** The browser or script that signs in. */
export interface SignInCaller extends Pick<SessionEntity, 'purpose' | 'userAgent' | 'address'> {
  /** The value of the device cookie. */
  readonly device?: string | undefined;
}

export type SignInOutcome =
  /** Only the hash of the token is stored. `device` is the value of the browser's device cookie. `codesLeft`: recovery codes, after the use of one. */
  | {
      readonly kind: 'signed_in';
      readonly token: string;
      readonly sessionId: string;
      readonly userId: string;
      readonly device: string;
      readonly codesLeft: number | null;
    }
  /** The password is right, and the person has a factor. `ticket` proves the former to `withCode`. */
  | { readonly kind: 'factor_required'; readonly ticket: string }
  /** One outcome for an unknown address and a wrong password. `code`: it was the code that was wrong. */
  | { readonly kind: 'refused'; readonly limit?: RateLimitResult; readonly code?: true }
  /** Too many wrong answers, or (without a limit) too many concurrent attempts. Says nothing about the password. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit?: RateLimitResult };

type Proved = Pick<TicketUser, 'id'> & Partial<Omit<TicketUser, 'passwordHash'>> & { readonly passwordHash: string | null };

/** Opens a session once the person has proved who they are. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly tickets: SignInTickets,
    private readonly factors: Factors,
    private readonly sessions: SessionService,
    private readonly devices: DeviceCookie,
    private readonly passkeys: Passkeys,
  ) {}

  /**
   * After a proof from outside of this server: an identity provider's, or one of an extension's own. A person with a factor is asked for it, unless the
   * proof has `mfa`; the session is only as fresh as the proof. A disabled or unknown user is refused.
   */
  async open({ id }: { readonly id: string }, proof: IdentityProof, caller: SignInCaller): Promise<SignInOutcome> {
    const user = await this.tickets.findById(id);
    if (!user) return { kind: 'refused' };
    if (user.hasFactor && !proof.amr.includes('mfa')) return { kind: 'factor_required', ticket: this.tickets.make(user, proof) };
    return this.begin({ id, passwordHash: null, proof }, caller, proof.amr);
  }

  /** After the right password. @param code of the person's factor, where the caller sent it with the password. @internal */
  async afterPassword(user: StoredUser, caller: SignInCaller, code?: string): Promise<SignInOutcome> {
    if (!user.hasFactor) return this.begin(user, caller, AMR.password);
    return code === undefined ? { kind: 'factor_required', ticket: this.tickets.make(user) } : this.check(user, caller, code);
  }

  /** The second step of a sign-in. @returns null if the ticket has ended: the person begins again with the password @throws TurnRefusedError @internal */
  async withCode(ticket: string | undefined, caller: SignInCaller, code: string): Promise<SignInOutcome | null> {
    const user = await this.tickets.read(ticket);
    return user && this.check(user, caller, code);
  }

  /** By a passkey alone. @param binding the browser's pre-session. @internal */
  async withPasskey(binding: string, caller: SignInCaller, response: string): Promise<SignInOutcome> {
    const userId = await this.passkeys.verify(binding, response);
    return userId === null ? { kind: 'refused' } : this.begin({ id: userId, passwordHash: null }, caller, AMR.passkey);
  }

  /** By a passkey as the second step. @returns as `withCode` @internal */
  async withTicketAndPasskey(
    ticket: string | undefined,
    binding: string,
    caller: SignInCaller,
    response: string,
  ): Promise<SignInOutcome | null> {
    const user = await this.tickets.read(ticket);
    if (!user) return null;
    const isTheirs = (await this.passkeys.verify(binding, response)) === user.id;
    return isTheirs ? this.begin(user, caller, [...firstOf(user), ...AMR.passkey]) : { kind: 'refused', code: true };
  }

  private async check(user: StoredUser & Partial<TicketUser>, caller: SignInCaller, code: string): Promise<SignInOutcome> {
    const device = this.devices.read(caller.device);
    const isKnown = device?.userId === user.id;
    const limit = isKnown ? ({ policy: 'signInDevice', key: device.id } as const) : ({ policy: 'signInFactor', key: user.id } as const);
    const checked = await this.factors.verify(user.id, code, limit);
    return checked.kind === 'right'
      ? this.begin(user, caller, [...firstOf(user), ...AMR.code.slice(1)], checked.codesLeft)
      : refusalOf(checked);
  }

  private async begin(
    { id: userId, passwordHash, proof, hasFactor: hasShownFactor = false }: Proved,
    { purpose, userAgent, address, device }: SignInCaller,
    amr: readonly string[],
    codesLeft: number | null = null,
  ): Promise<SignInOutcome> {
    // A script has no cookies.
    const isNewBrowser = purpose === 'page' && this.devices.read(device)?.userId !== userId;
    const proved = { passwordHash, amr, proof, hasShownFactor };
    const opened = await this.sessions.open({ userId, purpose, userAgent, address, ...proved, isNewBrowser });
    return opened ? { kind: 'signed_in', ...opened, userId, device: this.devices.make(userId), codesLeft } : { kind: 'refused' };
  }
}

/** The first of two factors. */
const firstOf = ({ proof }: Partial<TicketUser>): readonly string[] => proof?.amr ?? AMR.password;

const refusalOf = ({ kind, limit }: Exclude<FactorCheck, { kind: 'right' }>): SignInOutcome =>
  kind === 'wrong' ? { kind: 'refused', limit, code: true } : { kind: 'slowed_down', retryAfterSeconds: limit.resetSeconds, limit };
