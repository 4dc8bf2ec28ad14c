import { Injectable } from '@nestjs/common';
import { changeOne, Database, sql, type Tx } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { Log, RefusalLog } from '../../platform/logging/index.js';
import { SessionService } from '../session/index.js';
import { areStorable, type IdentityLogout } from './identity-provider.js';
import { IdentityRemoval } from './identity-removal.js';
import { IdentitySignIn } from './identity-sign-in.js';

/** No token is accepted for longer than the ten minutes of `OpenIdProvider`, so an hour is enough. */
const ADD = sql`WITH old AS (DELETE FROM identity_logout WHERE received_at < now() - interval '1 hour')
         INSERT INTO identity_logout (issuer, id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`;

/** What the provider says after a sign-in (OpenID Connect Back-Channel Logout 1.0): each message counts once. */
@Injectable()
export class IdentityLogouts {
  private readonly log = new Log('Identity');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly signIns: IdentitySignIn,
    private readonly removal: IdentityRemoval,
    private readonly sessions: SessionService,
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** `rejected`: a token that is not valid, or was received before; `unavailable`: the provider's keys cannot be read. */
  async receive(token: string): Promise<'accepted' | 'rejected' | 'unavailable'> {
    const message = await this.read(token);
    if (message === null || message === 'unavailable') return message ?? 'rejected';
    // In one transaction: what fails is repeated by the provider with the same token.
    const isNew = await changeOne(this.database, ADD, [message.issuer, message.id], (tx) => this.apply(tx, message));
    await this.events.delivered();
    return isNew ? 'accepted' : 'rejected';
  }

  private async read(token: string): Promise<IdentityLogout | 'unavailable' | null> {
    try {
      const message = await this.signIns.provider?.logout?.(token);
      if (!message) return null;
      const { id, issuer, subject = 'none', sid = 'none' } = message;
      return areStorable([id, issuer, subject, sid]) ? message : null;
    } catch (error) {
      const { message } = error as Error;
      this.refusals.note('', (line, others) =>
        this.log.warn('identity_logout_unavailable', { ...line }, `A back-channel logout could not be checked: ${message}${others}`),
      );
      return 'unavailable';
    }
  }

  private async apply(tx: Tx, { issuer, sid, subject = '' }: IdentityLogout): Promise<void> {
    if (sid !== undefined) return this.sessions.endOfIdentity(tx, issuer, sid);
    const owner = await this.signIns.findOwner({ issuer, subject });
    if (owner !== null) await this.removal.removeWithin(tx, owner);
  }
}
