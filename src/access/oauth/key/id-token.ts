import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/kernel/uuid.js';
import { SigningKeys } from './signing-keys.js';

export interface Identity {
  readonly userId: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  /** By the database's clock, like all stored times. */
  readonly issuedAt: Date;
  readonly nonce: string | null;
  readonly accessToken: string;
}

export const ID_TOKEN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'sid', 'acr', 'amr', 'jti'] as const;
const LIFE_SECONDS = 3_600;

/** ID tokens (OpenID Connect Core section 2). */
@Injectable()
export class IdTokens {
  constructor(private readonly keys: SigningKeys) {}

  sign({ userId, clientId, sessionId, authTime, issuedAt, nonce, accessToken }: Identity): Promise<string> {
    const issuedSeconds = Math.floor(issuedAt.getTime() / 1000);
    return this.keys.sign({
      sub: userId,
      aud: clientId,
      iat: issuedSeconds,
      exp: issuedSeconds + LIFE_SECONDS,
      auth_time: Math.floor(authTime.getTime() / 1000),
      ...(nonce !== null && { nonce }),
      at_hash: leftHalf(accessToken),
      sid: sessionId,
      // By password, the only method.
      acr: '1',
      amr: ['pwd'],
      jti: newId(),
    });
  }
}

/** OpenID Connect Core section 3.1.3.6, for RS256. */
const leftHalf = (token: string): string => createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url');
