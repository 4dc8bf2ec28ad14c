import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, sql, type RowOf, type Tx } from '../../../platform/database/index.js';
import { revocationOf } from '../../../platform/events/index.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { ClientEntity } from '../client/client.entity.js';
import { CLIENT_JSON, type Client } from '../client/client.js';
import { APPLICATION_FIELDS, type ClientLists, type WantedApplication } from './application.js';
import { ApplicationEntity, type ApplicationState } from '../client/application.entity.js';

const APPLICATION = columns(ApplicationEntity);
const WANTED = APPLICATION.only(...APPLICATION_FIELDS);
const LISTS = columns(ClientEntity).only('redirectUris', 'scopes', 'grantTypes');

export interface ApplicationRow extends RowOf<typeof APPLICATION> {
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
  /** The approved version, also while it is suspended. */
  readonly client: Client | null;
  readonly testClientId: string | null;
}

export interface ApplicationFilter {
  readonly id?: string;
  readonly ownerId?: string;
  readonly state?: ApplicationState;
}

const ADD = sql`INSERT INTO oauth_application (id, owner_id, state, submitted_at, ${WANTED.names})
         VALUES ($1, $2, $3, CASE WHEN $3 = 'waiting' THEN now() END, ${WANTED.parameters(4)})`;
const SELECTED = fragment`SELECT ${APPLICATION.of('a')}, u.username AS "ownerUsername", u.email AS "ownerEmail",
                CASE WHEN c.id IS NOT NULL THEN ${CLIENT_JSON} END AS client, t.id AS "testClientId"
           FROM oauth_application a LEFT JOIN app_user u ON u.id = a.owner_id LEFT JOIN oauth_client t ON t.test_of = a.id
           LEFT JOIN oauth_client c ON c.id = a.id AND c.state IN ('approved', 'suspended')`;
const LIST = sql`${SELECTED}
          WHERE ($1::text IS NULL OR a.id = $1) AND ($2::uuid IS NULL OR a.owner_id = $2) AND ($3::text IS NULL OR a.state = $3)
          ORDER BY a.created_at, a.id`;
const LOCK = sql`SELECT FROM oauth_application a WHERE a.id = $1 AND ($2::uuid IS NULL OR a.owner_id = $2) FOR NO KEY UPDATE`;
const LOCK_OWNER = sql`SELECT FROM app_user u WHERE u.id = $1 FOR NO KEY UPDATE`;
const SAVE = sql`UPDATE oauth_application
            SET (${WANTED.names}) = (${WANTED.parameters(3)}), state = $2, version = version + 1, reason = NULL, updated_at = now(),
                submitted_at = CASE WHEN $2 = 'waiting' THEN now() END
          WHERE id = $1`;
const DECIDE = sql`UPDATE oauth_application SET state = $2, reason = $3, scopes = $4, require_pkce = $5, decided_at = now(), updated_at = now() WHERE id = $1`;

const CHANGE_CLIENT = sql`UPDATE oauth_client
            SET (${WANTED.names}) = (${WANTED.parameters(4)}), verified = coalesce($2, verified), trusted = coalesce($3, trusted),
                state = CASE WHEN state = 'pending' THEN 'approved' ELSE state END
          WHERE id = $1 RETURNING ${revocationOf(fragment`'client:' || id`)}`;
const ADD_CLIENT = sql`INSERT INTO oauth_client (id, verified, trusted, state, ${WANTED.names})
         VALUES ($1, coalesce($2, false), coalesce($3, false), 'approved', ${WANTED.parameters(4)})`;
// A token loses the scopes that its client loses.
const REDUCE_CLIENT = sql`UPDATE oauth_client SET (${LISTS.names}) = (${LISTS.parameters(2)}) WHERE id = $1 RETURNING ${revocationOf(fragment`'client:' || id`)}`;
const ADD_TEST = sql`INSERT INTO oauth_client (id, test_of, state, ${WANTED.names}) VALUES ($1, $2, 'test', ${WANTED.parameters(3)})`;
const CHANGE_TEST = sql`UPDATE oauth_client SET (${WANTED.names}) = (${WANTED.parameters(2)}) WHERE test_of = $1 RETURNING ${revocationOf(fragment`'client:' || id`)}`;
const END_TEST = sql`DELETE FROM oauth_client WHERE test_of = $1 RETURNING ${revocationOf(fragment`'client:' || id`)}`;
const END_TESTS = sql`DELETE FROM oauth_client WHERE state = 'test' RETURNING ${revocationOf(fragment`'client:' || id`)}`;

/** What only the operator says of a client; undefined: as it is. */
export interface OperatorMarks {
  readonly verified?: boolean | undefined;
  readonly trusted?: boolean | undefined;
}

@Injectable()
export class ApplicationStore {
  constructor(private readonly database: Database) {}

  list({ id, ownerId, state }: ApplicationFilter = {}, tx: Tx = this.database): Promise<ApplicationRow[]> {
    return tx.query<ApplicationRow>(LIST, [id ?? null, ownerId ?? null, state ?? null]);
  }

  /** One at a time changes or decides an application. Null: there is none, or it is another owner's. */
  async lock(tx: Tx, id: string, ownerId?: string): Promise<ApplicationRow | null> {
    if ((await tx.query(LOCK, [id, ownerId ?? null])).length === 0) return null;
    return (await this.list({ id }, tx))[0] ?? null;
  }

  /** How many applications the person has, which no other transaction changes until this one ends. */
  async countOf(tx: Tx, ownerId: string): Promise<number> {
    await tx.query(LOCK_OWNER, [ownerId]);
    return (await this.list({ ownerId }, tx)).length;
  }

  async add(tx: Tx, id: string, ownerId: string | null, state: ApplicationState, wanted: WantedApplication): Promise<void> {
    await tx.query(ADD, [id, ownerId, state, ...WANTED.valuesOf(wanted)]);
  }

  /** Its test client, where it has one, does the same at once. */
  async save(tx: Tx, id: string, state: ApplicationState, wanted: WantedApplication): Promise<void> {
    await tx.query(SAVE, [id, state, ...WANTED.valuesOf(wanted)]);
    if (state === 'approved') await tx.query(END_TEST, [id]);
    else await tx.query(CHANGE_TEST, [id, ...WANTED.valuesOf(wanted)]);
  }

  async refuse(tx: Tx, { id, scopes, requirePkce }: ApplicationRow, reason: string): Promise<void> {
    await tx.query(DECIDE, [id, 'refused', reason, scopes, requirePkce]);
  }

  /** The client is as approved from now on, and its test client ends. A suspended client stays suspended. */
  async approve(tx: Tx, id: string, wanted: WantedApplication, { verified, trusted }: OperatorMarks): Promise<void> {
    await tx.query(DECIDE, [id, 'approved', null, wanted.scopes, wanted.requirePkce]);
    const values = [id, verified ?? null, trusted ?? null, ...WANTED.valuesOf(wanted)];
    if ((await tx.query(CHANGE_CLIENT, values)).length === 0) await tx.query(ADD_CLIENT, values);
    await tx.query(END_TEST, [id]);
  }

  async reduce(tx: Tx, id: string, lists: ClientLists): Promise<void> {
    await tx.query(REDUCE_CLIENT, [id, ...LISTS.valuesOf(lists)]);
  }

  /** @returns its id */
  async addTest(tx: Tx, application: ApplicationRow): Promise<string> {
    if (application.testClientId !== null) return application.testClientId;
    const id = `test_${newId()}`;
    await tx.query(ADD_TEST, [id, application.id, ...WANTED.valuesOf(application)]);
    return id;
  }

  async endTests(): Promise<void> {
    await this.database.query(END_TESTS);
  }
}
