import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Config, IdentityProvider, type IdentityOutcome, type IdentityRequest, type IdentityStart } from '../../../src/index.js';
import { MEMBERS } from './members.js';
import { BadgeTickets } from './tickets.js';

/** Signs people in by their badge, on a page of this extension. */
@Injectable()
export class BadgeProvider extends IdentityProvider {
  readonly name = 'your badge';
  private readonly tickets: BadgeTickets;

  constructor(config: Config, clock: Clock) {
    super();
    this.tickets = new BadgeTickets(config, clock);
  }

  /** `state` ties the ticket to this browser. */
  async start({ returnUrl }: IdentityRequest): Promise<IdentityStart> {
    const state = randomBytes(16).toString('hex');
    const origin = new URL(returnUrl).origin;
    return { kind: 'redirect', to: `${origin}/badge/login?state=${state}`, state };
  }

  override async finish({ searchParams }: URL, state: string): Promise<IdentityOutcome> {
    const ticket = this.tickets.read(searchParams, state);
    const member = ticket && MEMBERS.get(ticket.badge);
    if (!member) return { kind: 'refused', reason: 'denied', detail: 'the ticket is not signed for this browser, or is too old' };
    const { email, username } = member;
    const proof = { email, username, emailVerified: true, authTime: ticket.at, amr: ['pin'] };
    return { kind: 'proved', identity: { issuer: 'badge', subject: ticket.badge, ...proof } };
  }
}
