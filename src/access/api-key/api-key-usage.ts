import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CredentialUsage, type Usage } from '../../edge/auth/index.js';
import { columnsOf, Database, sql } from '../../platform/database/index.js';

// Times are passed as ages: the stored time is the database's. Rows are locked by id, so that two processes cannot deadlock.
const USED = sql`WITH usage AS (SELECT * FROM unnest($1::uuid[], $2::float8[], $3::text[]) AS u (id, age, address)),
              locked AS (SELECT id FROM api_key WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
         UPDATE api_key k
            SET last_used_at = greatest(k.last_used_at, now() - make_interval(secs => usage.age)), last_used_address = usage.address
           FROM usage JOIN locked USING (id) WHERE k.id = usage.id`;
const REFUSED = sql`WITH refusal AS (SELECT r.id, now() - make_interval(secs => r.age) AS at, r.cause
                            FROM unnest($1::uuid[], $2::float8[], $3::text[]) AS r (id, age, cause)),
              locked AS (SELECT id FROM api_key WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
         UPDATE api_key k SET last_refused_at = refusal.at, last_refusal = refusal.cause FROM refusal JOIN locked USING (id) WHERE k.id = refusal.id`;

/** Stores when keys were used and why they were last refused: a few statements per second for all keys, none per request. */
@Injectable()
export class ApiKeyUsage implements OnModuleInit {
  constructor(
    private readonly usage: CredentialUsage,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.usage.store('api-key', (usage) => this.store(usage));
  }

  private async store(usage: ReadonlyMap<string, Readonly<Usage>>): Promise<void> {
    const now = Date.now();
    const ageOf = (at: Date): number => (now - at.getTime()) / 1000;
    const used = [...usage].flatMap(([id, { usedAt, address }]) => (usedAt ? [{ id, age: ageOf(usedAt), address: address ?? null }] : []));
    const refused = [...usage].flatMap(([id, { refusal }]) => (refusal ? [{ id, ...refusal, age: ageOf(refusal.at) }] : []));
    if (used.length > 0) await this.database.query(USED, columnsOf(used, 'id', 'age', 'address'));
    if (refused.length > 0) await this.database.query(REFUSED, columnsOf(refused, 'id', 'age', 'cause'));
  }
}
