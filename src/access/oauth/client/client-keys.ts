import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type CompactVerifyGetKey, type JSONWebKeySet } from 'jose';
import { EgressClient } from '../../../edge/egress/index.js';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { madeOnce } from '../../../platform/kernel/made-once.js';
import type { Client } from './client.js';

/** A key that the client has withdrawn is accepted for as long as this. */
const KEPT_MS = 300_000;
/** How often a key id that is not in the set, or an address that does not answer, can cause a request. */
const PAUSE_MS = 30_000;
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 65_536;
const MAX_ADDRESSES = 1_000;

/** The public keys of clients, by value or from their addresses (RFC 7591 section 2: `jwks`, `jwks_uri`). */
@Injectable()
export class ClientKeys {
  private readonly remote = new BoundedMap<string, CompactVerifyGetKey>(MAX_ADDRESSES);

  constructor(
    private readonly egress: EgressClient,
    private readonly clock: Clock,
  ) {}

  of({ jwks, jwksUri }: Pick<Client, 'jwks' | 'jwksUri'>): CompactVerifyGetKey {
    if (jwks !== null || jwksUri === null) return createLocalJWKSet((jwks ?? { keys: [] }) as JSONWebKeySet);
    return madeOnce(this.remote, jwksUri, () => {
      const options = { cacheMaxAge: KEPT_MS, cooldownDuration: PAUSE_MS, [customFetch]: this.fetchOf(jwksUri) };
      return createRemoteJWKSet(new URL(jwksUri), options);
    });
  }

  private fetchOf(url: string): () => Promise<Response> {
    let failedAt = -Infinity;
    return async () => {
      const paused = this.clock.elapsed() < failedAt + PAUSE_MS;
      const result = paused ? null : await this.egress.request({ method: 'GET', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
      if (result?.kind === 'response' && result.status === 200) return new Response(result.body);
      if (result) failedAt = this.clock.elapsed();
      throw new Error('its jwks_uri gives no keys');
    };
  }
}
