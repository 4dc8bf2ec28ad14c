import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { isClientId } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { OAuthSettings } from '../oauth.settings.js';
import { ApplicationStore } from './application.store.js';

export type TestCredentialsOutcome =
  /** Shown once; a public app has no secret. */
  | { readonly kind: 'created'; readonly clientId: string; readonly secret: string | null }
  /** `approved`: there is nothing left to test. */
  | { readonly kind: 'off' | 'not_found' | 'approved' };

/** Test credentials of what is not approved: they work for the account of the owner alone, and end with the approval. */
@Injectable()
export class TestClients implements OnModuleInit {
  constructor(
    private readonly store: ApplicationStore,
    private readonly clients: ClientService,
    private readonly settings: OAuthSettings,
    private readonly database: Database,
  ) {}

  /** Test mode that is turned off ends what it has left. */
  async onModuleInit(): Promise<void> {
    if (!this.isOn) await this.store.endTests();
  }

  get isOn(): boolean {
    return this.settings.APP_TEST_MODE;
  }

  /** Ends the secret before. */
  async create(id: string, ownerId: string): Promise<TestCredentialsOutcome> {
    if (!this.isOn) return { kind: 'off' };
    return this.database.transaction(async (tx) => {
      const application = isClientId(id) ? await this.store.lock(tx, id, ownerId) : null;
      if (!application) return { kind: 'not_found' };
      if (application.state === 'approved') return { kind: 'approved' };
      const clientId = await this.store.addTest(tx, application);
      const added = await this.clients.addSecretWithin(tx, clientId, 0);
      return { kind: 'created', clientId, secret: added.kind === 'added' ? added.secret : null };
    });
  }
}
