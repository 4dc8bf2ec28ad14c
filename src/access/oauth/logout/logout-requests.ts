import { Injectable } from '@nestjs/common';
import type { Form } from '../../../edge/page/index.js';
import { isInUse, type Client } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { redirectEvidence } from '../client/redirect-uri.js';
import { SigningKeys } from '../key/signing-keys.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { ROUTES } from '../routes.js';

const KNOWN = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;
const MAX_STATE_BYTES = 2_048;

/** A request of an app, or without one, to end the session of a browser. */
export interface LogoutRequest {
  readonly client: Client | null;
  /** Registered for the client. */
  readonly redirectUri: string | null;
  /** The value as received. */
  readonly state: string | null;
  /** The session that the hint names. */
  readonly sid: string | null;
  /** The parameters that count, for the same request once more. */
  readonly sent: Readonly<Record<string, string>>;
}

export const logoutRefused = (reason: string): DirectAuthorizeError => new DirectAuthorizeError(reason, { isLogout: true });

@Injectable()
export class LogoutRequests {
  constructor(
    private readonly clients: ClientService,
    private readonly keys: SigningKeys,
  ) {}

  /** OpenID Connect RP-Initiated Logout 1.0 section 2; `logout_hint` and `ui_locales` change nothing. @throws DirectAuthorizeError */
  async judge(parameters: Form): Promise<LogoutRequest> {
    const repeated = parameters.repeated.find((name) => KNOWN.some((known) => known === name));
    if (repeated !== undefined) throw logoutRefused(`${repeated} must not be repeated`);
    const sent = Object.fromEntries(KNOWN.map((name) => [name, parameters.text(name)] as const).filter(([, value]) => value !== ''));
    if (Object.values(sent).some((value) => value.includes('\0'))) throw logoutRefused('it has the character U+0000');
    const state = parameters.text('state');
    if (Buffer.byteLength(state) > MAX_STATE_BYTES) throw logoutRefused(`state must have at most ${MAX_STATE_BYTES} bytes`);
    const { client, sid } = await this.asking(parameters.text('id_token_hint'), parameters.text('client_id'));
    const redirectUri = this.redirectUriOf(parameters.text('post_logout_redirect_uri'), client);
    return { client, redirectUri, state: state || null, sid, sent };
  }

  private async asking(idToken: string, clientId: string): Promise<Pick<LogoutRequest, 'client' | 'sid'>> {
    const hint = idToken === '' ? null : await this.keys.verified(idToken);
    if (idToken !== '' && !hint) throw logoutRefused('id_token_hint is not an ID token of this server');
    if (hint && clientId !== '' && clientId !== hint.aud) throw logoutRefused('client_id is not the app of id_token_hint');
    const id = hint?.aud ?? clientId;
    const client = id === '' ? null : await this.clients.find(id);
    if (id !== '' && !(client && isInUse(client))) throw logoutRefused('the app is unknown or not active on this server');
    return { client, sid: hint?.sid ?? null };
  }

  private redirectUriOf(asked: string, client: Client | null): string | null {
    if (asked === '') return null;
    if (!client) throw logoutRefused('post_logout_redirect_uri needs the app that it is of, as id_token_hint or client_id');
    if (client.postLogoutRedirectUris.includes(asked)) return asked;
    this.clients.noteEvidence(client.id, ROUTES.logout, redirectEvidence(asked, client.postLogoutRedirectUris));
    throw logoutRefused('post_logout_redirect_uri is not registered for the app');
  }
}
