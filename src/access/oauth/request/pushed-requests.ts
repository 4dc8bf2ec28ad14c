import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Form, parseForm } from '../../../edge/page/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { hashToken } from '../../../platform/kernel/token.js';
import { OAuthSettings } from '../oauth.settings.js';

const PREFIX = 'urn:ietf:params:oauth:request_uri:';
const CREDENTIALS = ['client_secret', 'client_assertion', 'client_assertion_type'];

const ADD = sql`INSERT INTO oauth_pushed_request (hash, client_id, parameters, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`;
// The one use: of concurrent callers, on any number of processes, one gets it. Another client does not use it up.
const TAKE = sql`DELETE FROM oauth_pushed_request WHERE hash = $1 AND client_id = $2 RETURNING parameters, expires_at > now() AS live`;

export const isPushedUri = (requestUri: string): boolean => requestUri.startsWith(PREFIX);

/** Pushed authorization requests (RFC 9126). What was sent is stored, and judged again when it is used: the client may have changed. */
@Injectable()
export class PushedRequests {
  constructor(
    private readonly database: Database,
    private readonly settings: OAuthSettings,
  ) {}

  get lifeSeconds(): number {
    return this.settings.PUSHED_REQUEST_SECONDS;
  }

  /** @returns the `request_uri` */
  async add(clientId: string, parameters: Form): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const pairs = [...parameters.values].flatMap(([name, values]) =>
      CREDENTIALS.includes(name) || name === 'client_id' ? [] : values.map((value): [string, string] => [name, value]),
    );
    const text = new URLSearchParams([['client_id', clientId], ...pairs]).toString();
    await this.database.query(ADD, [hashToken(PREFIX + secret), clientId, text, this.lifeSeconds]);
    return PREFIX + secret;
  }

  /** Null: unknown, used, expired or of another client. */
  async take(clientId: string, requestUri: string): Promise<Form | null> {
    const [taken] = await this.database.query<{ parameters: string; live: boolean }>(TAKE, [hashToken(requestUri), clientId]);
    return taken?.live ? parseForm(taken.parameters) : null;
  }
}
