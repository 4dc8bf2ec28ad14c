import { Injectable } from '@nestjs/common';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { CLIENT_JSON, type Client } from '../client/client.js';
import { columns, Database, sql, type RowOf, type Tx } from '../../../platform/database/index.js';
import { hashToken } from '../../../platform/kernel/token.js';
import { newId } from '../../../platform/kernel/uuid.js';
import type { Visitor } from '../../../edge/auth/index.js';
import { newHandle } from './binding.js';
import { InteractionEntity } from './interaction.entity.js';
import { OAuthSettings } from '../oauth.settings.js';

const NEW_INTERACTION = columns(InteractionEntity).only('id', 'challengeHash', 'bindingHash', 'clientId', 'request', 'sessionId', 'userId');
const INTERACTION = columns(InteractionEntity).only('id', 'bindingHash', 'request', 'sessionId', 'userId', 'state', 'createdAt');

export interface InteractionRow extends RowOf<typeof INTERACTION> {
  readonly client: Client;
  readonly expired: boolean;
  readonly lastsUntil: Date;
  /** Of a test client: the account that may answer. */
  readonly testerId: string | null;
}

const ADD = sql`INSERT INTO oauth_interaction (${NEW_INTERACTION.names}, expires_at)
         VALUES (${NEW_INTERACTION.parameters()}, now() + make_interval(secs => $8))`;
const FIND = sql`SELECT ${INTERACTION.of('i')}, i.expires_at <= now() AS expired, now() + make_interval(secs => $2) AS "lastsUntil", ${CLIENT_JSON} AS client,
                (SELECT a.owner_id FROM oauth_application a WHERE a.id = c.test_of) AS "testerId"
           FROM oauth_interaction i JOIN oauth_client c ON c.id = i.client_id WHERE i.challenge_hash = $1`;
const BIND = sql`UPDATE oauth_interaction SET session_id = $2, user_id = $3 WHERE id = $1 AND state = 'open' AND expires_at > now() RETURNING 1`;
const END = sql`UPDATE oauth_interaction SET state = $3 WHERE id = $1 AND state = 'open' AND expires_at > now() AND session_id = $2 RETURNING 1`;

@Injectable()
export class InteractionStore {
  constructor(
    private readonly database: Database,
    private readonly settings: OAuthSettings,
  ) {}

  get lifeSeconds(): number {
    return this.settings.INTERACTION_SECONDS;
  }

  async add(request: AuthorizationRequest, session: Visitor | null): Promise<{ challenge: string; binding: string }> {
    const [challenge, binding] = [newHandle(), newHandle()];
    const interaction = {
      id: newId(),
      challengeHash: hashToken(challenge),
      bindingHash: hashToken(binding),
      clientId: request.clientId,
      request,
      sessionId: session?.session.id ?? null,
      userId: session?.user.id ?? null,
    };
    await this.database.query(ADD, [...NEW_INTERACTION.valuesOf(interaction), this.settings.INTERACTION_SECONDS]);
    return { challenge, binding };
  }

  async find(challenge: string): Promise<InteractionRow | null> {
    const [row] = await this.database.query<InteractionRow>(FIND, [hashToken(challenge), this.settings.REFRESH_TOKEN_ABSOLUTE_SECONDS]);
    return row ?? null;
  }

  /** Sets the session that may answer. False: the request has ended. */
  async bind(id: string, { session, user }: Visitor): Promise<boolean> {
    return (await this.database.query(BIND, [id, session.id, user.id])).length > 0;
  }

  /** With its response, in one transaction: only the session that it was shown to can, and once. Null: it had ended already. */
  end<Response>(
    id: string,
    { session }: Visitor,
    state: 'allowed' | 'denied',
    respond: (tx: Tx) => Promise<Response>,
  ): Promise<Response | null> {
    return this.database.transaction(async (tx) => ((await tx.query(END, [id, session.id, state])).length > 0 ? respond(tx) : null));
  }
}
