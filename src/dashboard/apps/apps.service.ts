import { Injectable } from '@nestjs/common';
import { ApiKeyService, type ApiKeyRow } from '../../access/api-key/index.js';
import { CredentialUsage } from '../../edge/auth/index.js';
import { AppService, ClientService, type ConnectedApp } from '../../access/oauth/index.js';
import { ActivityService } from '../activity/activity.service.js';
import type { Activity } from '../activity/activity.view.js';
import type { AppsModel } from './apps.view.js';

const PAYMENTS_SHOWN = 10;

@Injectable()
export class AppsPageService {
  constructor(
    private readonly apps: AppService,
    private readonly clients: ClientService,
    private readonly keys: ApiKeyService,
    private readonly activities: ActivityService,
    private readonly usage: CredentialUsage,
  ) {}

  async list(userId: string, disconnected: unknown): Promise<Omit<AppsModel, 'frame' | 'limits'>> {
    await this.usage.flush();
    const apps = await this.apps.list(userId);
    const isGone = typeof disconnected === 'string' && apps.every(({ id }) => id !== disconnected);
    const client = isGone ? await this.clients.find(disconnected) : null;
    return { apps, ended: await this.apps.listEnded(userId), disconnectedName: client?.name ?? null };
  }

  async find(userId: string, id: string): Promise<ConnectedApp | null> {
    // "Last used" is collected in memory for a second: write it before it is read.
    await this.usage.flush();
    return this.apps.find(userId, id);
  }

  async payments(userId: string, { scopes, grantIds }: ConnectedApp): Promise<Activity[] | null> {
    return scopes.some(({ movesMoney }) => movesMoney) ? this.activities.byPrincipals(userId, grantIds, PAYMENTS_SHOWN) : null;
  }

  keysOf(userId: string, { id }: ConnectedApp): Promise<readonly ApiKeyRow[]> {
    return this.keys.madeBy(id, userId);
  }

  async disconnect(userId: string, id: string, { revokeKeys }: { readonly revokeKeys: boolean }): Promise<void> {
    // The app first: after that it cannot create more keys.
    await this.apps.revoke(userId, id);
    if (revokeKeys) await this.keys.revokeMadeBy(id, userId);
  }
}
