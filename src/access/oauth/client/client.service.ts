import { Injectable } from '@nestjs/common';
import { CredentialUsage, type Evidence } from '../../../edge/auth/index.js';
import { CallService, type CallRow } from '../../call/index.js';
import { Config } from '../../../platform/config/index.js';
import { Batcher, columns, Database, fragment, sql, type RowOf, type Statement, type Tx } from '../../../platform/database/index.js';
import { Events, revocationOf } from '../../../platform/events/index.js';
import { equalHashes, hashToken, mintToken } from '../../../platform/kernel/token.js';
import { isUuid, newId } from '../../../platform/kernel/uuid.js';
import { ClientSecretEntity } from './client.entity.js';
import { OAuthError } from '../oauth-error.js';
import { CLIENT_JSON, isClientId, isInUse, type Client } from './client.js';

export type AddSecretOutcome =
  /** The secret is shown only now. */
  | { readonly kind: 'added'; readonly secret: string }
  | { readonly kind: 'not_found' }
  /** Or one that signs with keys of its own. */
  | { readonly kind: 'public_client' }
  /** End one of the two first, or let the others end. */
  | { readonly kind: 'two_already' };

type ClientChangeWork = (tx: Tx, client: Client) => Promise<unknown>;

const SECRET = columns(ClientSecretEntity).only('id', 'createdAt', 'expiresAt', 'firstUsedAt', 'lastUsedAt');
export type ClientSecret = RowOf<typeof SECRET>;

const FIND = sql`SELECT ${CLIENT_JSON} AS client FROM oauth_client c WHERE c.id = $1`;
const RESUME = sql`UPDATE oauth_client c SET state = 'approved' WHERE c.id = $1 AND c.state IN ('approved', 'suspended') RETURNING ${CLIENT_JSON} AS client`;
// One event for every credential of the client, also for a grant that is created concurrently.
const SUSPEND = sql`UPDATE oauth_client c SET state = 'suspended' WHERE c.id = $1 AND c.state IN ('approved', 'suspended')
         RETURNING ${CLIENT_JSON} AS client, ${revocationOf(fragment`'client:' || c.id`)}`;
const LIVE = fragment`(s.expires_at IS NULL OR s.expires_at > now())`;
// SKIP LOCKED: a concurrent call already stores the use, so no call waits, and two processes cannot deadlock.
const VERIFY = sql`WITH used AS (SELECT s.id FROM oauth_client_secret s JOIN unnest($1::text[], $2::bytea[]) AS shown (id, hash) ON s.client_id = shown.id AND s.secret_hash = shown.hash
                        WHERE ${LIVE} AND (s.last_used_at IS NULL OR s.last_used_at < now() - interval '1 minute') FOR NO KEY UPDATE OF s SKIP LOCKED),
              seen AS (UPDATE oauth_client_secret s SET last_used_at = now(), first_used_at = coalesce(s.first_used_at, s.last_used_at, now()) FROM used WHERE s.id = used.id)
         SELECT ${CLIENT_JSON} AS client,
                ARRAY(SELECT s.secret_hash FROM oauth_client_secret s WHERE s.client_id = c.id AND ${LIVE}) AS hashes
           FROM oauth_client c WHERE c.id = ANY ($1)`;
const LOCK = sql`SELECT ${CLIENT_JSON} AS client FROM oauth_client c WHERE c.id = $1 FOR NO KEY UPDATE`;
const SECRETS = sql`SELECT ${SECRET.of('s')} FROM oauth_client_secret s WHERE s.client_id = $1 AND ${LIVE} ORDER BY s.created_at, s.id`;
const FORGET = sql`DELETE FROM oauth_client_secret s WHERE s.client_id = $1 AND NOT ${LIVE}`;
// The newest of the others stays valid for the overlap, older ones end now: at most two valid secrets.
const END_OTHERS = sql`WITH others AS (SELECT s.id, row_number() OVER (ORDER BY s.created_at DESC, s.id DESC) AS rank
                           FROM oauth_client_secret s WHERE s.client_id = $1 AND ${LIVE})
         UPDATE oauth_client_secret s
            SET expires_at = least(s.expires_at, CASE WHEN others.rank = 1 THEN now() + make_interval(secs => $2) ELSE now() END)
           FROM others WHERE s.id = others.id`;
const ADD_SECRET = sql`INSERT INTO oauth_client_secret (id, client_id, secret_hash) VALUES ($1, $2, $3)`;
const END_SECRET = sql`DELETE FROM oauth_client_secret s WHERE s.client_id = $1 AND s.id = $2 AND ${LIVE} RETURNING 1`;
const MAX_SECRETS = 2;
const DECOY_HASH = hashToken('');

interface ShownSecret {
  readonly id: string;
  readonly hash: Buffer;
}

@Injectable()
export class ClientService {
  private readonly verifications: Batcher<ShownSecret, Client | false>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
    private readonly usage: CredentialUsage,
    private readonly calls: CallService,
  ) {
    this.verifications = new Batcher((shown) => this.verifyAll(shown));
  }

  /** The developer of the client sees why a request was refused. @param id of a client that exists */
  noteRefusal(id: string, operation: string, error: unknown): void {
    if (error instanceof OAuthError && error.status < 429) this.noteEvidence(id, operation, error.evidence ?? { cause: error.message });
  }

  noteEvidence(id: string, operation: string, evidence: Evidence): void {
    this.usage.calls.refused('client', id, operation, evidence);
  }

  /** Why requests of these clients were refused, the latest first. */
  refusals(ids: readonly string[]): Promise<CallRow[]> {
    return this.calls.list('client', ids);
  }

  async find(id: string): Promise<Client | null> {
    if (!isClientId(id)) return null;
    return (await this.database.query<{ client: Client }>(FIND, [id]))[0]?.client ?? null;
  }

  /** Ends the suspension of a client; grants that were not ended meanwhile work again. Null: no such client. */
  resume(id: string, also?: ClientChangeWork): Promise<Client | null> {
    return this.change(RESUME, id, also);
  }

  /** Stops all access of the client, on every process within a second. Null: no such client. */
  async suspend(id: string, also?: ClientChangeWork): Promise<Client | null> {
    const client = await this.change(SUSPEND, id, also);
    await this.events.delivered();
    return client;
  }

  /** The secrets that work, the oldest first. */
  secrets(id: string): Promise<ClientSecret[]> {
    return this.database.query<ClientSecret>(SECRETS, [id]);
  }

  /** @param overlapSeconds how long the newest of the other secrets keeps working; undefined: until it is ended */
  addSecret(id: string, overlapSeconds?: number): Promise<AddSecretOutcome> {
    return this.database.transaction((tx) => this.addSecretWithin(tx, id, overlapSeconds));
  }

  async addSecretWithin(tx: Tx, id: string, overlapSeconds?: number): Promise<AddSecretOutcome> {
    const [found] = isClientId(id) ? await tx.query<{ client: Client }>(LOCK, [id]) : [];
    if (!found) return { kind: 'not_found' };
    if (!found.client.confidential || found.client.authMethod !== 'secret') return { kind: 'public_client' };
    await tx.query(FORGET, [id]);
    if (overlapSeconds !== undefined) await tx.query(END_OTHERS, [id, overlapSeconds]);
    else if ((await tx.query(SECRETS, [id])).length >= MAX_SECRETS) return { kind: 'two_already' };
    const secret = mintToken(`${this.config.tokenPrefix}_cs`);
    await tx.query(ADD_SECRET, [newId(), id, hashToken(secret)]);
    return { kind: 'added', secret };
  }

  /** False: the client has no such secret. */
  async endSecretWithin(tx: Tx, id: string, secretId: string): Promise<boolean> {
    return isUuid(secretId) && (await tx.query(END_SECRET, [id, secretId])).length > 0;
  }

  /** The confidential client in use with this secret; false otherwise, after the same work. Digests are compared, so timing is of no use. */
  async verify(id: string, secret: string): Promise<Client | false> {
    return this.verifications.submit({ id: isClientId(id) ? id : '', hash: hashToken(secret) });
  }

  private async verifyAll(shown: readonly ShownSecret[]): Promise<(Client | false)[]> {
    const values = [shown.map(({ id }) => id), shown.map(({ hash }) => hash)];
    const rows = await this.database.query<{ client: Client; hashes: Buffer[] }>(VERIFY, values);
    const known = new Map(rows.map((row) => [row.client.id, row]));
    return shown.map(({ id, hash }) => {
      const found = known.get(id);
      const right = (found?.hashes.length ? found.hashes : [DECOY_HASH]).map((live) => equalHashes(live, hash)).includes(true);
      const mayAct = found?.client.confidential && found.client.authMethod === 'secret' && isInUse(found.client);
      return found && right && found.hashes.length > 0 && mayAct ? found.client : false;
    });
  }

  private change(statement: Statement, id: string, also?: ClientChangeWork): Promise<Client | null> {
    return this.database.transaction(async (tx) => {
      const [changed] = isClientId(id) ? await tx.query<{ client: Client }>(statement, [id]) : [];
      if (changed) await also?.(tx, changed.client);
      return changed?.client ?? null;
    });
  }
}
