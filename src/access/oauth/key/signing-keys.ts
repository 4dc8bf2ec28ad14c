import { Injectable } from '@nestjs/common';
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { Config } from '../../../platform/config/index.js';
import { AdvisoryLock, columns, Database, mayTakeLong, queryOne, sql, type RowOf, type Tx } from '../../../platform/database/index.js';
import { DAY_SECONDS } from '../../../platform/kernel/clock.js';
import { SecretCipher } from '../../../platform/kernel/secret-cipher.js';
import { isUuid } from '../../../platform/kernel/uuid.js';
import { Log } from '../../../platform/logging/index.js';
import { SigningKeyEntity } from './signing-key.entity.js';

/** The one algorithm that every OpenID Connect client has to support. */
export const SIGNING_ALGORITHM = 'RS256';
/** How long clients may cache the key set; a scheduled key is published for longer before it signs. */
export const JWKS_MAX_AGE_SECONDS = 300;
/** A key that another process created is published by this one within a second. */
const KEPT_MS = 1_000;
/** While the database is unavailable, the last key set is used for this long. */
const KEPT_IN_OUTAGE_MS = 60_000;
/** Between publication and first signature of a key that the operator requested: by then every process has read it. */
const NOTICE_SECONDS = 5;

const KEY = columns(SigningKeyEntity).only('kid', 'publicJwk', 'privateBox');

interface KeyRow extends RowOf<typeof KEY> {
  /** Not only published: it may sign. */
  readonly signs: boolean;
}

export type NewSigningKey = Pick<SigningKeyEntity, 'kid' | 'signsFrom'>;

interface Ring {
  readonly readAt: number;
  readonly rows: readonly KeyRow[];
  readonly current: { readonly kid: string; readonly key: CryptoKey };
}

// All times are `clock_timestamp()`: `now()` is when the transaction began, before it waited for LOCK, so a key that another process
// created meanwhile would seem to sign in the future only.
const LIST = sql`SELECT ${KEY.of('k')}, k.signs_from <= clock_timestamp() AS signs FROM signing_key k ORDER BY k.signs_from DESC, k.kid`;
// Two processes that find no key must not create two. Held until the transaction ends.
const LOCK = mayTakeLong(sql`SELECT pg_advisory_xact_lock(${AdvisoryLock.signingKeys})`);
const ADD = sql`INSERT INTO signing_key (${KEY.names}, signs_from) VALUES (${KEY.parameters()}, clock_timestamp() + make_interval(secs => $4::int))
         RETURNING signs_from AS "signsFrom"`;
const IS_DUE = sql`SELECT 1 FROM signing_key HAVING max(signs_from) < clock_timestamp() - interval '90 days'`;
/** An ID token lives for an hour; a further day covers clocks and caches. */
const PURGE = sql`DELETE FROM signing_key k WHERE EXISTS (SELECT FROM signing_key newer WHERE newer.signs_from > k.signs_from AND newer.signs_from < clock_timestamp() - interval '25 hours')`;
/** Deletes the key of a rotation that has not begun: nothing is signed with it. A key that is due within seconds stays. */
const WITHDRAW = sql`DELETE FROM signing_key WHERE signs_from > clock_timestamp() + interval '10 seconds'`;
const contextOf = (kid: string): string => `signing key ${kid}`;

/** The keys that sign ID tokens: stored in the database, encrypted, shared by every process. The first is created when it is needed. */
@Injectable()
export class SigningKeys {
  private readonly log = new Log(SigningKeys.name);
  private readonly cipher: SecretCipher;
  private ring: Ring | undefined;
  private reading: Promise<Ring> | undefined;
  /** Decrypted keys, by key id; null: failed. A retry each second would cost, and log a warning, each second. */
  private readonly decrypted = new Map<string, CryptoKey | null>();

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {
    this.cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
  }

  async sign(claims: JWTPayload): Promise<string> {
    const { current } = await this.keys();
    const header = { alg: SIGNING_ALGORITHM, kid: current.kid, typ: 'JWT' };
    return new SignJWT({ iss: this.config.issuerUrl, ...claims }).setProtectedHeader(header).sign(current.key);
  }

  async published(): Promise<readonly JWK[]> {
    return (await this.keys()).rows.map(({ publicJwk }) => publicJwk);
  }

  /** Id of the person of an ID token, expired or not. Null: Sluice did not issue it. */
  async subjectOf(idToken: string): Promise<string | null> {
    const keys = createLocalJWKSet({ keys: [...(await this.published())] });
    try {
      const { payload } = await compactVerify(idToken, keys, { algorithms: [SIGNING_ALGORITHM] });
      const { iss, sub } = JSON.parse(new TextDecoder().decode(payload)) as JWTPayload;
      return iss === this.config.issuerUrl && sub !== undefined && isUuid(sub) ? sub : null;
    } catch {
      return null;
    }
  }

  /** Publishes the next key when the current one is old, a day before it signs, and deletes keys whose signatures have expired. */
  async rotate(): Promise<void> {
    await this.database.query(PURGE);
    await this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      if ((await tx.query(IS_DUE)).length > 0) await this.add(tx, DAY_SECONDS);
    });
  }

  /**
   * Rotates now, at the operator's request: a new key, encrypted under the current secret, signs as soon as every process publishes it.
   * Former keys stay published as after any rotation.
   */
  async rotateNow(also?: (tx: Tx, kid: string) => Promise<unknown>): Promise<NewSigningKey> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      await tx.query(WITHDRAW);
      const added = await this.add(tx, NOTICE_SECONDS);
      await also?.(tx, added.kid);
      return added;
    });
  }

  private async keys(): Promise<Ring> {
    const last = this.ring;
    const age = last ? Date.now() - last.readAt : Infinity;
    if (last && age < KEPT_MS) return last;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return last && age < KEPT_IN_OUTAGE_MS ? this.reading.catch(() => last) : this.reading;
  }

  private async read(): Promise<Ring> {
    const ring = (await this.ringOf(await this.database.query<KeyRow>(LIST))) ?? (await this.begin());
    this.ring = ring;
    return ring;
  }

  private begin(): Promise<Ring> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      const found = await this.ringOf(await tx.query<KeyRow>(LIST));
      if (found) return found;
      await this.add(tx, 0);
      const made = await this.ringOf(await tx.query<KeyRow>(LIST));
      if (!made) throw new Error('A signing key cannot be read right after it was stored');
      return made;
    });
  }

  private async ringOf(rows: readonly KeyRow[]): Promise<Ring | undefined> {
    for (const kid of this.decrypted.keys()) if (!rows.some((row) => row.kid === kid)) this.decrypted.delete(kid);
    for (const { kid, privateBox } of rows.filter(({ signs }) => signs)) {
      const key = this.decrypted.get(kid) ?? (this.decrypted.has(kid) ? null : await this.decrypt(kid, privateBox));
      this.decrypted.set(kid, key);
      if (key) return { readAt: Date.now(), rows, current: { kid, key } };
    }
    return undefined;
  }

  private async decrypt(kid: string, privateBox: Buffer): Promise<CryptoKey | null> {
    try {
      const jwk = JSON.parse(this.cipher.decrypt(privateBox, contextOf(kid)).toString('utf8')) as JWK;
      return (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey;
    } catch (error) {
      this.log.warn('oauth_signing_key_unusable', { kid }, `Signing key ${kid} cannot be decrypted: ${(error as Error).message}`);
      return null;
    }
  }

  private async add(tx: Tx, inSeconds: number): Promise<NewSigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateBox = this.cipher.encrypt(Buffer.from(JSON.stringify(privateJwk), 'utf8'), contextOf(kid));
    const key = { kid, publicJwk: { ...publicJwk, kid, use: 'sig', alg: SIGNING_ALGORITHM }, privateBox };
    return { kid, ...(await queryOne<Omit<NewSigningKey, 'kid'>>(tx, ADD, [...KEY.valuesOf(key), inSeconds])) };
  }
}
