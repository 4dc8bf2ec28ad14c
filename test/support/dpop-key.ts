import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { request } from './http.js';

/** What a proof names. A claim or header member that is undefined is left out. */
export interface Named {
  readonly htm?: string;
  readonly htu: string;
  readonly nonce?: string | undefined;
  /** The access token beside it. */
  readonly token?: string;
}

type Part = Readonly<Record<string, unknown>>;

const encoded = (part: Part): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The key of an app that proves it (RFC 9449), as its program has it. */
export class DpopKey {
  constructor(private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })) {}

  get jwk(): Part {
    return { ...this.pair.publicKey.export({ format: 'jwk' }) };
  }

  get privateJwk(): Part {
    return { ...this.pair.privateKey.export({ format: 'jwk' }) };
  }

  get jkt(): string {
    const { crv, kty, x, y } = this.jwk;
    return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  }

  proof({ htm = 'POST', htu, nonce, token }: Named, claims: Part = {}, header: Part = {}): string {
    const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    const iat = Math.floor(Date.now() / 1000);
    const head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...header });
    return signed(`${head}.${encoded({ jti: randomUUID(), htm, htu, iat, nonce, ath, ...claims })}`, this.pair.privateKey);
  }
}

export const signed = (text: string, key: KeyObject): string =>
  `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;

/** The nonce for the next proof: every answer to a request with a proof has it. */
export async function nonceOf(url: string): Promise<string> {
  const { headers } = await request(`${url}/userinfo`, { headers: { dpop: 'x' } });
  return headers.get('dpop-nonce') ?? '';
}
