import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import {
  Batcher,
  columns,
  Database,
  fragment,
  isUniqueViolation,
  queryOne,
  sql,
  type Statement,
  type Tx,
} from '../../../platform/database/index.js';
import { Events, revocationOf } from '../../../platform/events/index.js';
import { equalHashes, hashToken, mintToken } from '../../../platform/kernel/token.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { faultsOf, registrationOf, type NewClient } from './registration.js';
import { ClientEntity } from './client.entity.js';
import { CLIENT_JSON, isClientId, type Client } from './client.js';

export type RegisterOutcome =
  /** The client may not send requests before it is approved. The secret is shown only now; public clients have none. */
  | { readonly kind: 'registered'; readonly client: Client; readonly secret: string | null }
  | { readonly kind: 'invalid'; readonly faults: readonly string[] }
  | { readonly kind: 'id_taken' };

export type AddSecretOutcome =
  { readonly kind: 'added'; readonly secret: string } | { readonly kind: 'not_found' } | { readonly kind: 'public_client' };

export type ClientChangeWork = (tx: Tx, client: Client) => Promise<unknown>;

const NEW_CLIENT = columns(ClientEntity).except('state', 'createdAt');
const ADD = sql`INSERT INTO oauth_client AS c (${NEW_CLIENT.names}) VALUES (${NEW_CLIENT.parameters()}) RETURNING ${CLIENT_JSON} AS client`;
const FIND = sql`SELECT ${CLIENT_JSON} AS client FROM oauth_client c WHERE c.id = $1`;
const LIST = sql`SELECT ${CLIENT_JSON} AS client FROM oauth_client c ORDER BY c.created_at, c.id`;
const APPROVE = sql`UPDATE oauth_client c SET state = 'approved' WHERE c.id = $1 RETURNING ${CLIENT_JSON} AS client`;
// One event for every credential of the client, also for a grant that is created concurrently.
const SUSPEND = sql`UPDATE oauth_client c SET state = 'suspended' WHERE c.id = $1
         RETURNING ${CLIENT_JSON} AS client, ${revocationOf(fragment`'client:' || c.id`)}`;
const LIVE = fragment`(s.expires_at IS NULL OR s.expires_at > now())`;
// SKIP LOCKED: a concurrent call already stores the use, so no call waits, and two processes cannot deadlock.
const VERIFY = sql`WITH used AS (SELECT s.id FROM oauth_client_secret s JOIN unnest($1::text[], $2::bytea[]) AS shown (id, hash) ON s.client_id = shown.id AND s.secret_hash = shown.hash
                        WHERE ${LIVE} AND (s.last_used_at IS NULL OR s.last_used_at < now() - interval '1 minute') FOR NO KEY UPDATE OF s SKIP LOCKED),
              seen AS (UPDATE oauth_client_secret s SET last_used_at = now() FROM used WHERE s.id = used.id)
         SELECT ${CLIENT_JSON} AS client,
                ARRAY(SELECT s.secret_hash FROM oauth_client_secret s WHERE s.client_id = c.id AND ${LIVE}) AS hashes
           FROM oauth_client c WHERE c.id = ANY ($1)`;
// The newest of the others stays valid for the overlap, older ones end now: at most two valid secrets.
const ADD_SECRET = sql`WITH others AS (SELECT s.id, row_number() OVER (ORDER BY s.created_at DESC, s.id DESC) AS rank
                           FROM oauth_client_secret s WHERE s.client_id = $2 AND ${LIVE}),
              ended AS (UPDATE oauth_client_secret s
                           SET expires_at = least(s.expires_at, CASE WHEN others.rank = 1 THEN now() + make_interval(secs => $4) ELSE now() END)
                          FROM others WHERE s.id = others.id)
         INSERT INTO oauth_client_secret (id, client_id, secret_hash) VALUES ($1, $2, $3)`;
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
    private readonly catalogue: ScopeCatalogue,
  ) {
    this.verifications = new Batcher((shown) => this.verifyAll(shown));
  }

  async register(wanted: NewClient, also?: ClientChangeWork): Promise<RegisterOutcome> {
    const id = wanted.id ?? newId();
    const settled = registrationOf(wanted);
    const faults = faultsOf(id, settled, this.catalogue);
    if (faults.length > 0) return { kind: 'invalid', faults };
    const secret = settled.confidential ? this.newSecret() : null;
    try {
      return await this.database.transaction(async (tx) => {
        const { client } = await queryOne<{ client: Client }>(tx, ADD, NEW_CLIENT.valuesOf({ id, ...settled }));
        if (secret !== null) await tx.query(ADD_SECRET, [newId(), id, hashToken(secret), 0]);
        await also?.(tx, client);
        return { kind: 'registered', client, secret };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'oauth_client_pk')) return { kind: 'id_taken' };
      throw error;
    }
  }

  async find(id: string): Promise<Client | null> {
    if (!isClientId(id)) return null;
    return (await this.database.query<{ client: Client }>(FIND, [id]))[0]?.client ?? null;
  }

  async list(): Promise<readonly Client[]> {
    return (await this.database.query<{ client: Client }>(LIST)).map(({ client }) => client);
  }

  /** Lets the app ask people, also after a suspension; grants that were not ended meanwhile work again. Null: no such client. */
  async approve(id: string, also?: ClientChangeWork): Promise<Client | null> {
    return isClientId(id) ? this.change(APPROVE, id, also) : null;
  }

  /** Stops all access of the client, on every process within a second. Null: no such client. */
  async suspend(id: string, also?: ClientChangeWork): Promise<Client | null> {
    if (!isClientId(id)) return null;
    const client = await this.change(SUSPEND, id, also);
    await this.events.delivered();
    return client;
  }

  async addSecret(id: string, overlapSeconds = 0, also?: ClientChangeWork): Promise<AddSecretOutcome> {
    const client = await this.find(id);
    if (!client) return { kind: 'not_found' };
    if (!client.confidential) return { kind: 'public_client' };
    const secret = this.newSecret();
    await this.database.transaction(async (tx) => {
      await tx.query(ADD_SECRET, [newId(), id, hashToken(secret), overlapSeconds]);
      await also?.(tx, client);
    });
    return { kind: 'added', secret };
  }

  /** The approved, confidential client with this secret; false otherwise, after the same work. Digests are compared, so timing is of no use. */
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
      const mayAct = found?.client.confidential && found.client.state === 'approved';
      return found && right && found.hashes.length > 0 && mayAct ? found.client : false;
    });
  }

  private newSecret(): string {
    return mintToken(`${this.config.tokenPrefix}_cs`);
  }

  private change(statement: Statement, id: string, also?: ClientChangeWork): Promise<Client | null> {
    return this.database.transaction(async (tx) => {
      const [changed] = await tx.query<{ client: Client }>(statement, [id]);
      if (changed) await also?.(tx, changed.client);
      return changed?.client ?? null;
    });
  }
}
