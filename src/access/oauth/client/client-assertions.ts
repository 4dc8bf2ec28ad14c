import { Injectable } from '@nestjs/common';
import { compactVerify, decodeJwt, type JWTPayload } from 'jose';
import { Config } from '../../../platform/config/index.js';
import { Database, queryOne, sql } from '../../../platform/database/index.js';
import { orNone } from '../../../platform/kernel/or-none.js';
import { hashToken } from '../../../platform/kernel/token.js';
import { ClientKeys } from './client-keys.js';
import { isInUse, type Client } from './client.js';
import { ClientService } from './client.service.js';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Asymmetric only; discovery lists them. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;
const MAX_LIFE_SECONDS = 300;
/** How far the client's clock may be ahead. */
const SKEW_SECONDS = 30;
const MAX_JTI = 255;

// Of concurrent callers, on any number of processes, one spends it. Judged by the database's clock, like all that is stored.
const SPEND = sql`WITH shown AS (SELECT to_timestamp($2::float8) AS ends, to_timestamp($3::float8) AS begins),
              spent AS (INSERT INTO oauth_assertion (hash, expires_at)
                        SELECT $1, ends FROM shown
                         WHERE ends > now() AND ends <= now() + make_interval(secs => $4) AND begins <= now() + make_interval(secs => $5)
                        ON CONFLICT DO NOTHING RETURNING 1)
         SELECT CASE WHEN EXISTS (SELECT FROM spent) THEN NULL
                     WHEN ends <= now() THEN 'it has expired'
                     WHEN ends > now() + make_interval(secs => $4) THEN 'its exp is too late'
                     WHEN begins > now() + make_interval(secs => $5) THEN 'its iat or nbf is in the future'
                     ELSE 'its jti was used before' END AS fault
           FROM shown`;

/** The client that an assertion names, unverified; empty if it names none. */
export const claimedId = (assertion: string): string => claimsOf(assertion)?.sub ?? '';

/** `private_key_jwt` (RFC 7523 section 3, OpenID Connect Core section 9): a client signs each request with a key of its own. */
@Injectable()
export class ClientAssertions {
  constructor(
    private readonly clients: ClientService,
    private readonly keys: ClientKeys,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @returns the client; or why the assertion is refused, for its developer */
  async verify(id: string, assertion: string): Promise<Client | string> {
    const client = await this.clients.find(id);
    if (!client?.confidential || !isInUse(client) || client.authMethod !== 'private_key_jwt') return 'the client has no keys';
    const claims = claimsOf(assertion);
    const fault = claims ? this.faultOf(claims, id) : 'it is no JWT';
    if (fault !== undefined) return fault;
    try {
      await compactVerify(assertion, this.keys.of(client), { algorithms: [...ASSERTION_ALGORITHMS] });
    } catch (error) {
      return `its signature: ${(error as Error).message}`;
    }
    return (await this.spend(id, claims as JWTPayload)) ?? client;
  }

  /** The issuer alone is the audience: an assertion for another server, or for one of its endpoints, is never good here. */
  private faultOf({ iss, sub, aud, jti, exp, iat = 0, nbf = 0 }: JWTPayload, id: string): string | undefined {
    if (iss !== id || sub !== id) return 'its iss and sub are not the client';
    if (aud !== this.config.issuerUrl) return 'its aud is not the issuer alone';
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI) return `its jti is not a text of 1 to ${MAX_JTI} characters`;
    return [exp, iat, nbf].every(isTime) ? undefined : 'its exp, iat or nbf is not a time';
  }

  private async spend(id: string, { jti, exp, iat = 0, nbf = 0 }: JWTPayload): Promise<string | null> {
    const values = [hashToken(`${id} ${jti}`), exp, Math.max(iat, nbf), MAX_LIFE_SECONDS + SKEW_SECONDS, SKEW_SECONDS];
    return (await queryOne<{ fault: string | null }>(this.database, SPEND, values)).fault;
  }
}

function claimsOf(assertion: string): JWTPayload | undefined {
  const claims = orNone(() => decodeJwt(assertion));
  return claims?.sub === undefined || typeof claims.sub === 'string' ? claims : undefined;
}

/** Seconds that PostgreSQL can read as a time. */
const isTime = (seconds: unknown): boolean => typeof seconds === 'number' && seconds >= 0 && seconds < 1e11;
