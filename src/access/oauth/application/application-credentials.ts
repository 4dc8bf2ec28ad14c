import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Tx } from '../../../platform/database/index.js';
import type { CallRow } from '../../call/index.js';
import { isClientId, type Client } from '../client/client.js';
import { ClientService, type AddSecretOutcome, type ClientSecret } from '../client/client.service.js';
import { OAuthSettings } from '../oauth.settings.js';
import { ApplicationLog, type Actor } from './application-log.js';
import type { Application } from './application.service.js';
import { ApplicationStore } from './application.store.js';

export type TestCredentialsOutcome =
  /** Shown once; a public app has no secret. */
  | { readonly kind: 'created'; readonly clientId: string; readonly secret: string | null }
  | { readonly kind: 'off' }
  | { readonly kind: 'not_found' }
  /** There is nothing left to test. */
  | { readonly kind: 'approved' };

/** `ownerId`: only an application of this person. `overlapSeconds`: as in `ClientService.addSecret`. */
interface SecretOptions {
  readonly ownerId?: string;
  readonly overlapSeconds?: number | undefined;
}

/** The secrets of an approved app, and the test credentials of one that is not approved: those work for its owner alone, and end with the approval. */
@Injectable()
export class ApplicationCredentials implements OnModuleInit {
  constructor(
    private readonly store: ApplicationStore,
    private readonly clients: ClientService,
    private readonly log: ApplicationLog,
    private readonly settings: OAuthSettings,
    private readonly database: Database,
  ) {}

  /** Test mode that is turned off ends what it has left. */
  async onModuleInit(): Promise<void> {
    if (!this.isTestMode) await this.store.endTests();
  }

  get isTestMode(): boolean {
    return this.settings.APP_TEST_MODE;
  }

  /** Ends the test secret before. */
  async createTest(id: string, ownerId: string): Promise<TestCredentialsOutcome> {
    if (!this.isTestMode) return { kind: 'off' };
    return this.database.transaction(async (tx) => {
      const application = isClientId(id) ? await this.store.lock(tx, id, ownerId) : null;
      if (!application) return { kind: 'not_found' };
      if (application.state === 'approved') return { kind: 'approved' };
      const clientId = await this.store.addTest(tx, application);
      const added = await this.clients.addSecretWithin(tx, clientId, 0);
      return { kind: 'created', clientId, secret: added.kind === 'added' ? added.secret : null };
    });
  }

  /** Why requests of the app were refused, also with test credentials. */
  refusals({ id, testClientId }: Pick<Application, 'id' | 'testClientId'>): Promise<readonly CallRow[]> {
    return this.clients.refusals([id, ...(testClientId === null ? [] : [testClientId])]);
  }

  /** The secrets of the approved app that work, the oldest first. */
  secrets(id: string): Promise<readonly ClientSecret[]> {
    return this.clients.secrets(id);
  }

  addSecret(id: string, { ownerId, overlapSeconds }: SecretOptions, by: Actor): Promise<AddSecretOutcome> {
    return this.database.transaction(async (tx) => {
      const application = await this.approved(tx, id, ownerId);
      if (!application) return { kind: 'not_found' };
      const outcome = await this.clients.addSecretWithin(tx, id, overlapSeconds);
      const details = { name: application.name, ...(overlapSeconds !== undefined && { overlapSeconds }) };
      if (outcome.kind === 'added') await this.log.record(tx, { action: 'client secret add', id, by, details });
      return outcome;
    });
  }

  /** False: the app has no such secret. Tokens that it has obtained stay valid. */
  endSecret(id: string, secretId: string, { ownerId }: SecretOptions, by: Actor): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const application = await this.approved(tx, id, ownerId);
      if (!application || !(await this.clients.endSecretWithin(tx, id, secretId))) return false;
      await this.log.record(tx, { action: 'client secret end', id, by, details: { name: application.name, secretId } });
      return true;
    });
  }

  private async approved(tx: Tx, id: string, ownerId: string | undefined): Promise<Client | null> {
    const application = isClientId(id) ? await this.store.lock(tx, id, ownerId) : null;
    return application?.client ?? null;
  }
}
