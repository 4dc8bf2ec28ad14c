import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, Config } from '../../../src/index.js';

const SECONDS = 60;

/** What the page of the badge sends back to the provider: signed, for one browser and a minute. */
export class BadgeTickets {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  make(badge: string, state: string): URLSearchParams {
    const at = String(this.clock.now());
    return new URLSearchParams({ badge, at, signature: this.sign(badge, at, state) });
  }

  /** @returns the badge, and when it was shown */
  read(ticket: URLSearchParams, state: string): { readonly badge: string; readonly at: Date } | null {
    const [badge, at, signature] = ['badge', 'at', 'signature'].map((name) => ticket.get(name) ?? '') as [string, string, string];
    const [sent, expected] = [Buffer.from(signature), Buffer.from(this.sign(badge, at, state))];
    const isSigned = sent.length === expected.length && timingSafeEqual(sent, expected);
    return isSigned && this.clock.now() <= Number(at) + SECONDS * 1000 ? { badge, at: new Date(Number(at)) } : null;
  }

  private sign(...parts: readonly string[]): string {
    return createHmac('sha256', this.config.secretKey)
      .update(JSON.stringify(['badge ticket', ...parts]))
      .digest('hex');
  }
}
