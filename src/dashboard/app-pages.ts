import { Injectable } from '@nestjs/common';
import { ApiKeyService } from '../api-key/index.js';
import { CredentialUsage } from '../auth/index.js';
import { AppService, ClientService, type ConnectedApp } from '../oauth/index.js';
import type { Html, ShellFrame } from '../page/index.js';
import { Activities } from './activities.js';
import { appPage, appsPage, disconnectAppPage } from './view/index.js';

const PAYMENTS_SHOWN = 10;

/** Fills the pages about connected apps. */
@Injectable()
export class AppPages {
  constructor(
    private readonly apps: AppService,
    private readonly clients: ClientService,
    private readonly keys: ApiKeyService,
    private readonly activities: Activities,
    private readonly usage: CredentialUsage,
  ) {}

  /** Flushes "last used", which is collected in memory for a second, so that the next read is current. */
  upToDate(): Promise<void> {
    return this.usage.flush();
  }

  /** @param disconnected the id of the app that was just disconnected, for a notice */
  async list(frame: ShellFrame, userId: string, disconnected: unknown): Promise<Html> {
    const apps = await this.apps.list(userId);
    const isGone = typeof disconnected === 'string' && apps.every(({ id }) => id !== disconnected);
    const client = isGone ? await this.clients.find(disconnected) : null;
    return appsPage({ frame, apps, disconnectedName: client?.name ?? null });
  }

  async app(frame: ShellFrame, userId: string, app: ConnectedApp): Promise<Html> {
    const sends = app.scopes.some(({ movesMoney }) => movesMoney);
    const payments = sends ? await this.activities.byPrincipals(userId, app.grantIds, PAYMENTS_SHOWN) : null;
    return appPage({ frame, app, payments });
  }

  async disconnect(frame: ShellFrame, userId: string, app: ConnectedApp): Promise<Html> {
    return disconnectAppPage({ frame, app, keys: await this.keys.madeBy(app.id, userId) });
  }
}
