import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../edge/auth/index.js';
import { Database, isUniqueViolation, queryOne, sql, type Tx } from '../../../platform/database/index.js';
import type { ApplicationState } from '../client/application.entity.js';
import type { Client } from '../client/client.js';
import type { WantedApplication } from './application.js';
import { ApplicationLog } from './application-log.js';
import { ApplicationStore, type ApplicationRow } from './application.store.js';

/** What the operator has to look at: people could fill the list, but no person alone. */
const MAX_WAITING = 50;
const MAX_OF_ONE = 10;

const WAITING = sql`SELECT count(*)::int AS documents, count(*) FILTER (WHERE EXISTS (SELECT FROM operator_action o
                           WHERE o.subject = a.id AND o.action = 'client apply' AND o.who = $1))::int AS own
           FROM oauth_application a WHERE a.state = 'waiting' AND a.id LIKE 'https://%'`;

/** The applications of apps that describe themselves in a document, whose address is the id. */
@Injectable()
export class DocumentApplications {
  constructor(
    private readonly store: ApplicationStore,
    private readonly log: ApplicationLog,
    private readonly database: Database,
  ) {}

  async find(url: string): Promise<ApplicationRow | null> {
    return (await this.store.list({ id: url }))[0] ?? null;
  }

  /** What the operator has listed is approved as it is, and never submitted: the clean-up knows it by that. */
  async accept(url: string, wanted: WantedApplication): Promise<Client> {
    await this.once(async (tx) => {
      await this.keep(tx, url, 'approved', wanted);
      await this.store.approve(tx, url, wanted, {});
    });
    const client = (await this.find(url))?.client;
    if (!client) throw new Error('The client of the document is not there');
    return client;
  }

  /** It waits as an application does; what was approved before is not used until then. @returns a text if the list is full */
  async submit(url: string, wanted: WantedApplication, { username }: Visitor['user']): Promise<string | undefined> {
    const who = `user ${username}`;
    const waiting = await queryOne<{ documents: number; own: number }>(this.database, WAITING, [who]);
    if (waiting.documents >= MAX_WAITING) return `${MAX_WAITING} documents wait for the operator`;
    if (waiting.own >= MAX_OF_ONE) return `${MAX_OF_ONE} documents that this person has brought wait for the operator`;
    await this.once(async (tx) => {
      await this.keep(tx, url, 'waiting', wanted);
      await this.log.record(tx, { action: 'client apply', id: url, by: { who }, details: { name: wanted.name } });
    });
    return undefined;
  }

  private async keep(tx: Tx, url: string, state: ApplicationState, wanted: WantedApplication): Promise<void> {
    if (await this.store.lock(tx, url)) await this.store.save(tx, url, state, wanted);
    else await this.store.add(tx, url, null, state, wanted);
  }

  /** Another request may have just added the same. */
  private async once(work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.transaction(work).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'oauth_application_pk')) throw error;
    });
  }
}
