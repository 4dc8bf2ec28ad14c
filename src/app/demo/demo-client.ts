import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../edge/auth/index.js';
import { ApplicationService, ClientService } from '../../access/oauth/index.js';
import type { DemoFile } from './demo-file.js';

const CLIENT_ID = 'demo-app';
const REDIRECT_URIS = ['http://localhost:5555/callback', 'http://127.0.0.1:5555/callback', 'http://localhost:3000/api/auth/callback/blink'];

/** The demo's only app: a confidential client, PKCE optional, with every scope and both grant types. */
@Injectable()
export class DemoClient {
  constructor(
    private readonly applications: ApplicationService,
    private readonly clients: ClientService,
    private readonly catalogue: ScopeCatalogue,
  ) {}

  /** Registers and approves the client, or replaces its secrets by a new one. */
  async renew(): Promise<DemoFile['oauthClient']> {
    const known = await this.clients.find(CLIENT_ID);
    const secret = known ? await this.newSecret() : await this.register();
    return { clientId: CLIENT_ID, clientSecret: secret, redirectUris: known?.redirectUris ?? REDIRECT_URIS };
  }

  private async register(): Promise<string> {
    const app = {
      id: CLIENT_ID,
      name: 'Corner Coffee',
      purpose: 'Sells coffee, and shows you what you spent on it.',
      redirectUris: REDIRECT_URIS,
      scopes: this.catalogue.all().map(({ name }) => name),
      grantTypes: ['authorization_code', 'refresh_token'],
      verified: true,
    };
    const outcome = await this.applications.register(app, { who: 'demo' });
    if (outcome.kind !== 'registered' || outcome.secret === null) throw new Error('The demo’s app could not be registered');
    return outcome.secret;
  }

  private async newSecret(): Promise<string> {
    const outcome = await this.clients.addSecret(CLIENT_ID, 0);
    if (outcome.kind !== 'added') throw new Error('The demo’s app could not be given a secret');
    return outcome.secret;
  }
}
