import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { runStrategy } from '../../../edge/auth/index.js';
import { orNone } from '../../../platform/kernel/or-none.js';
import type { Client } from './client.js';
import { ClientService } from './client.service.js';

export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+)(=*)$/i;
const MAX_HEADER = 1_024;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * `Authorization: Basic` of RFC 6749 section 2.3.1: the parts are form-encoded before they are joined. Unencoded parts mean the same,
 * because Sluice's ids and secrets have no character that encoding changes. Undefined for any other format.
 */
export function parseBasic(header: string): BasicCredentials | undefined {
  const [, digits = '', padding = ''] = BASIC.exec(header) ?? [];
  if (digits === '' || header.length > MAX_HEADER || digits.length % 4 === 1) return undefined;
  // Padding may be omitted, but must be correct if present.
  if (padding !== '' && (digits.length + padding.length) % 4 !== 0) return undefined;
  // Not UTF-8, or a malformed escape: undefined.
  return orNone(() => {
    const text = utf8.decode(Buffer.from(digits, 'base64'));
    const colon = text.indexOf(':');
    if (colon < 0) return undefined;
    const [id, secret] = [formDecode(text.slice(0, colon)), formDecode(text.slice(colon + 1))];
    return /^[\x20-\x7e]*$/.test(id + secret) ? { id, secret } : undefined;
  });
}

const formDecode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/**
 * HTTP Basic at the token endpoint. Only the package's protocol is used: it does not form-decode, it cuts a secret at every colon, and it
 * accepts any scheme that contains "Basic". So `parseBasic` reads the header again, and the package's result is ignored.
 */
@Injectable()
export class BasicClientStrategy extends PassportStrategy(BasicStrategy, 'oauth-client-basic', 4) {
  constructor(private readonly clients: ClientService) {
    super({ passReqToCallback: true });
  }

  async validate({ headers }: Pick<IncomingMessage, 'headers'>): Promise<Client | false> {
    const credentials = parseBasic(headers.authorization ?? '');
    return credentials ? this.clients.verify(credentials.id, credentials.secret) : false;
  }

  identify(authorization: string): Promise<Client | false> {
    return runStrategy<Client>(this, { headers: { authorization } });
  }
}
