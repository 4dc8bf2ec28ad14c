import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../../platform/config/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { Log, RefusalLog } from '../../../platform/logging/index.js';
import { checkedIdentity, IdentitySignIn, type IdentityOutcome, type IdentityRefusal, type ProvedIdentity } from '../../identity/index.js';
import { FlashCookie } from '../flash-cookie.js';
import { paths, type ReturnTo } from '../paths.js';

/** What a person who goes to the provider comes back for. */
export interface Journey extends ReturnTo {
  /** An earlier sign-in at the provider does not count. */
  readonly fresh: boolean;
  /** The session whose person proves again who they are; without it, they sign in. */
  readonly sessionId?: string | undefined;
}

interface KeptJourney extends Journey {
  readonly state: string;
  readonly begunAt: number;
}

export type JourneyEnd =
  | { readonly kind: 'proved'; readonly identity: ProvedIdentity; readonly provedAt: Date }
  /** `expired`: this browser did not begin it, has come back before, or took too long. */
  | { readonly kind: 'refused'; readonly reason: IdentityRefusal | 'expired' | 'unusable' };

const KEPT_SECONDS = 600;
const MAX_DETAIL = 300;

/** The way to the provider and back, in one browser: its state is in an encrypted cookie, which the way back takes away. */
@Injectable()
export class CompanyJourney {
  private readonly log = new Log(CompanyJourney.name);
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly identities: IdentitySignIn,
    private readonly flash: FlashCookie,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The provider's name; null: there is none. */
  get name(): string | null {
    return this.identities.provider?.name ?? null;
  }

  /** @returns where the browser goes, or who the person is where the provider knows that at once */
  async begin(reply: FastifyReply, journey: Journey): Promise<JourneyEnd | { kind: 'redirect'; to: string }> {
    const { headersDistinct: headers, socket } = reply.request.raw;
    const asked = { headers, peerAddress: socket.remoteAddress ?? '', returnUrl: this.returnUrl, fresh: journey.fresh };
    const begun = await answerOf(() => this.identities.provider?.start(asked));
    if (begun?.kind !== 'redirect') return this.endOf(journey, begun);
    const kept: KeptJourney = { ...journey, state: begun.state, begunAt: this.clock.now() };
    this.flash.keep(reply, paths.company, JSON.stringify(kept), { seconds: KEPT_SECONDS, sameSite: 'lax' });
    return begun;
  }

  /** The browser is back. */
  async finish(reply: FastifyReply): Promise<{ journey: Journey; end: JourneyEnd }> {
    const text = this.flash.take(reply, paths.company);
    const kept = text === null ? null : (JSON.parse(text) as KeptJourney);
    if (kept === null || this.clock.now() > kept.begunAt + KEPT_SECONDS * 1000)
      return { journey: { fresh: false }, end: { kind: 'refused', reason: 'expired' } };
    const back = new URL(this.returnUrl);
    back.search = new URL(reply.request.url, this.returnUrl).search;
    return { journey: kept, end: this.endOf(kept, await answerOf(() => this.identities.provider?.finish?.(back, kept.state))) };
  }

  private get returnUrl(): string {
    return `${this.config.publicUrl}${paths.company}/callback`;
  }

  private endOf({ fresh }: Journey, outcome: IdentityOutcome | undefined): JourneyEnd {
    if (outcome?.kind === 'proved') {
      const identity = checkedIdentity(outcome.identity);
      if (identity === null) {
        this.note('unusable');
        return { kind: 'refused', reason: 'unusable' };
      }
      // The provider has authenticated the person since they left; its own clock may be another one.
      return { kind: 'proved', identity, provedAt: fresh ? new Date(this.clock.now()) : identity.authTime };
    }
    const { reason = 'denied', detail = 'the provider has no second step' } = outcome ?? {};
    this.note(reason, detail);
    return { kind: 'refused', reason };
  }

  /** For the operator, who reads why no one was signed in. */
  note(reason: string, detail?: string): void {
    const why = detail === undefined ? {} : { detail: detail.slice(0, MAX_DETAIL) };
    this.refusals.note(reason, (line, others) =>
      this.log.warn('identity_refused', { ...line, reason, ...why }, `A company sign-in was refused${others}`),
    );
  }
}

/** A provider that throws is away: one of the organisation's own asks a directory. */
async function answerOf<Answer>(
  ask: () => Promise<Answer> | undefined,
): Promise<Answer | Extract<IdentityOutcome, { kind: 'refused' }> | undefined> {
  try {
    return await ask();
  } catch (error) {
    return { kind: 'refused', reason: 'unavailable', detail: `the provider threw ${String(error)}` };
  }
}
