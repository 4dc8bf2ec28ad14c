import { Injectable } from '@nestjs/common';
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { compactVerify, createLocalJWKSet, type JWK, type JWTPayload } from 'jose';
import { Config } from '../../../platform/config/index.js';
import { AdvisoryLock, columns, Database, mayTakeLong, queryOne, sql, type RowOf, type Tx } from '../../../platform/database/index.js';
import { DAY_SECONDS } from '../../../platform/kernel/clock.js';
import { SecretCipher } from '../../../platform/kernel/secret-cipher.js';
import { isUuid } from '../../../platform/kernel/uuid.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { Log } from '../../../platform/logging/index.js';
import { ID_TOKEN_ALGS, type IdTokenAlg } from '../client/client.entity.js';
import { publicKeyOf, signJws } from './jws.js';
import { SigningKeyEntity } from './signing-key.entity.js';

// For discovery: controllers import no entity.
export { ID_TOKEN_ALGS };
/** `typ` of an ID token's header. */
const ID_TOKEN = 'JWT';
/** How long clients may cache the key set and the metadata; a scheduled key is published for longer before it signs. */
export const PUBLISHED_MAX_AGE_SECONDS = 300;
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

export interface NewSigningKey extends Pick<SigningKeyEntity, 'kid' | 'signsFrom'> {
  readonly alg: IdTokenAlg;
}

/** What Sluice reads of an ID token again. */
export interface IdToken {
  readonly iss: string;
  readonly sub: string;
  /** Id of the client. */
  readonly aud: string;
  /** Id of the sign-in session. */
  readonly sid: string;
}

interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

interface Ring {
  readonly readAt: number;
  readonly rows: readonly KeyRow[];
  /** The key of each algorithm that signs now. */
  readonly current: ReadonlyMap<IdTokenAlg, Signer>;
}

// All times are `clock_timestamp()`: `now()` is when the transaction began, before it waited for LOCK, so a key that another process
// created meanwhile would seem to sign in the future only.
const LIST = sql`SELECT ${KEY.of('k')}, k.signs_from <= clock_timestamp() AS signs FROM signing_key k ORDER BY k.signs_from DESC, k.kid`;
// Two processes that find no key must not create two. Held until the transaction ends.
const LOCK = mayTakeLong(sql`SELECT pg_advisory_xact_lock(${AdvisoryLock.signingKeys})`);
const ADD = sql`INSERT INTO signing_key (${KEY.names}, signs_from) VALUES (${KEY.parameters()}, clock_timestamp() + make_interval(secs => $4::int))
         RETURNING signs_from AS "signsFrom"`;
const DUE = sql`SELECT k.public_jwk ->> 'alg' AS alg FROM signing_key k GROUP BY 1 HAVING max(k.signs_from) < clock_timestamp() - interval '90 days'`;
const AGES = sql`SELECT k.public_jwk ->> 'alg' AS alg, extract(epoch FROM min(clock_timestamp() - k.signs_from))::float8 AS age FROM signing_key k
          WHERE k.signs_from <= clock_timestamp() GROUP BY 1`;
/** An ID token lives for an hour; a further day covers clocks and caches. */
const PURGE = sql`DELETE FROM signing_key k WHERE EXISTS (SELECT FROM signing_key newer WHERE newer.public_jwk ->> 'alg' = k.public_jwk ->> 'alg' AND newer.signs_from > k.signs_from AND newer.signs_from < clock_timestamp() - interval '25 hours')`;
/** Deletes the key of a rotation that has not begun: nothing is signed with it. A key that is due within seconds stays. */
const WITHDRAW = sql`DELETE FROM signing_key WHERE signs_from > clock_timestamp() + interval '10 seconds'`;
const contextOf = (kid: string): string => `signing key ${kid}`;
const algOf = ({ publicJwk }: Pick<KeyRow, 'publicJwk'>): IdTokenAlg => publicJwk.alg as IdTokenAlg;
const missingIn = ({ current }: Ring): readonly IdTokenAlg[] => ID_TOKEN_ALGS.filter((alg) => !current.has(alg));
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const newPair = promisify(generateKeyPair);
const PAIRS: Readonly<Record<IdTokenAlg, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  RS256: () => newPair('rsa', { modulusLength: 2_048 }),
  ES256: () => newPair('ec', { namedCurve: 'P-256' }),
  EdDSA: () => newPair('ed25519'),
};

/**
 * The keys that sign ID tokens, one of each algorithm: stored in the database, encrypted, shared by every process. The first ones are created
 * together when one is needed, so that the key of an algorithm is published before a client changes to it.
 */
@Injectable()
export class SigningKeys {
  private readonly log = new Log(SigningKeys.name);
  private readonly cipher: SecretCipher;
  private ring: Ring | undefined;
  private reading: Promise<Ring> | undefined;
  /** Decrypted keys, by key id; null: failed. A retry each second would cost, and log a warning, each second. */
  private readonly decrypted = new Map<string, KeyObject | null>();

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.labelledGauge('sluice_oauth_signing_key_age_seconds', 'How long the key of each algorithm has signed', 'alg', async () => {
      const rows = await this.database.query<{ alg: string; age: number }>(AGES);
      return Object.fromEntries(rows.map(({ alg, age }) => [alg, age]));
    });
    this.cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
  }

  async sign(claims: JWTPayload, alg: IdTokenAlg = 'RS256', typ = ID_TOKEN): Promise<string> {
    const signer = (await this.keys()).current.get(alg);
    if (!signer) throw new Error(`No key signs ${alg}`);
    return signJws(alg, signer.key, `${encoded({ alg, kid: signer.kid, typ })}.${encoded({ iss: this.config.issuerUrl, ...claims })}`);
  }

  /** RS256 first: software that looks for no key id takes the first. */
  async published(): Promise<readonly JWK[]> {
    const { rows } = await this.keys();
    return ID_TOKEN_ALGS.flatMap((alg) => rows.filter((row) => algOf(row) === alg).map(({ publicJwk }) => publicJwk));
  }

  /** An ID token, expired or not. Null: Sluice did not issue it, or it is a token of another type. */
  async verified(idToken: string): Promise<IdToken | null> {
    const keys = createLocalJWKSet({ keys: [...(await this.published())] });
    try {
      const { payload, protectedHeader } = await compactVerify(idToken, keys, { algorithms: [...ID_TOKEN_ALGS] });
      const claims = JSON.parse(new TextDecoder().decode(payload)) as IdToken;
      return protectedHeader.typ === ID_TOKEN && claims.iss === this.config.issuerUrl && isUuid(claims.sub) ? claims : null;
    } catch {
      return null;
    }
  }

  /** Publishes the next key where the current one is old, a day before it signs, and deletes keys whose signatures have expired. */
  async rotate(): Promise<void> {
    await this.database.query(PURGE);
    await this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      const due = await tx.query<{ alg: IdTokenAlg }>(DUE);
      for (const alg of ID_TOKEN_ALGS) if (due.some((each) => each.alg === alg)) await this.add(tx, alg, DAY_SECONDS);
    });
  }

  /**
   * Rotates now, at the operator's request: new keys, encrypted under the current secret, sign as soon as every process publishes them.
   * Former keys stay published as after any rotation.
   */
  async rotateNow(also?: (tx: Tx, kid: string) => Promise<unknown>): Promise<readonly NewSigningKey[]> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      await tx.query(WITHDRAW);
      const added: NewSigningKey[] = [];
      for (const alg of ID_TOKEN_ALGS) added.push(await this.add(tx, alg, NOTICE_SECONDS));
      for (const { kid } of added) await also?.(tx, kid);
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
    const ring = this.ringOf(await this.database.query<KeyRow>(LIST));
    this.ring = missingIn(ring).length === 0 ? ring : await this.begin();
    return this.ring;
  }

  private begin(): Promise<Ring> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      for (const alg of missingIn(this.ringOf(await tx.query<KeyRow>(LIST)))) await this.add(tx, alg, 0);
      const made = this.ringOf(await tx.query<KeyRow>(LIST));
      if (missingIn(made).length > 0) throw new Error('A signing key cannot be read right after it was stored');
      return made;
    });
  }

  private ringOf(rows: readonly KeyRow[]): Ring {
    for (const kid of this.decrypted.keys()) if (!rows.some((row) => row.kid === kid)) this.decrypted.delete(kid);
    const current = new Map<IdTokenAlg, Signer>();
    for (const row of rows.filter(({ signs }) => signs)) {
      if (current.has(algOf(row))) continue;
      const { kid } = row;
      const key = this.decrypted.has(kid) ? this.decrypted.get(kid) : this.decrypt(row);
      this.decrypted.set(kid, key ?? null);
      if (key) current.set(algOf(row), { kid, key });
    }
    return { readAt: Date.now(), rows, current };
  }

  private decrypt({ kid, privateBox }: KeyRow): KeyObject | null {
    try {
      const key = JSON.parse(this.cipher.decrypt(privateBox, contextOf(kid)).toString('utf8')) as JWK;
      return createPrivateKey({ key, format: 'jwk' });
    } catch (error) {
      this.log.warn('oauth_signing_key_unusable', { kid }, `Signing key ${kid} cannot be decrypted: ${(error as Error).message}`);
      return null;
    }
  }

  private async add(tx: Tx, alg: IdTokenAlg, inSeconds: number): Promise<NewSigningKey> {
    const { privateKey } = await PAIRS[alg]();
    const jwk = privateKey.export({ format: 'jwk' });
    const { key, thumbprint: kid } = publicKeyOf(alg, jwk) ?? {};
    if (!key || kid === undefined) throw new Error(`A new key is not one for ${alg}`);
    const privateBox = this.cipher.encrypt(Buffer.from(JSON.stringify(jwk), 'utf8'), contextOf(kid));
    const row = { kid, publicJwk: { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg }, privateBox };
    return { kid, alg, ...(await queryOne<Pick<NewSigningKey, 'signsFrom'>>(tx, ADD, [...KEY.valuesOf(row), inSeconds])) };
  }
}
