import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { AdvisoryLock, Database, isUnavailable, mayTakeLong, sql } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import type { UserRow } from '../../access/user/index.js';
import { DemoClient } from './demo-client.js';
import { readDemoFile, writeDemoFile, type DemoFile, type DemoUser } from './demo-file.js';
import { DemoPeople, DemoTreasury } from './demo-people.js';

const LOCK = mayTakeLong(sql`SELECT pg_advisory_xact_lock(${AdvisoryLock.demo})`);

const RETRY_MS = 1_000;
const MAX_RETRIES = 300;

/** The users, keys and app of the demo. Created once; what already exists stays unchanged. */
@Injectable()
export class DemoService {
  private readonly log = new Log(DemoService.name);

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly people: DemoPeople,
    private readonly client: DemoClient,
    private readonly treasury: DemoTreasury,
  ) {}

  /**
   * Returns when `demo.json` is written and the money has arrived. Of several concurrent processes, the first one does the work. An outage
   * delays it: the server listens already, and is not ready yet.
   */
  async prepare(): Promise<DemoFile> {
    for (let retry = 0; ; retry++) {
      try {
        return await this.prepareOnce();
      } catch (error) {
        if (!isUnavailable(error) || retry === MAX_RETRIES) throw error;
        this.log.warn('demo_delayed', {}, `The demo is not prepared yet: ${(error as Error).message}`);
        await delay(RETRY_MS);
      }
    }
  }

  private prepareOnce(): Promise<DemoFile> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      await this.treasury.fundChain();
      const users = await this.people.ensure();
      await Promise.all(users.map((user) => this.people.fund(user)));
      const known = readDemoFile(this.config.dataDir);
      if (known) return known;
      this.log.info('demo_keys_created', {}, 'Creating demo keys');
      const file = await this.describe(users);
      writeDemoFile(this.config.dataDir, file);
      return file;
    });
  }

  private async describe(users: readonly UserRow[]): Promise<DemoFile> {
    const described: Record<string, DemoUser> = {};
    for (const user of users) described[user.username] = await this.people.describe(user);
    return { url: this.config.publicUrl, users: described, oauthClient: await this.client.renew() };
  }
}
