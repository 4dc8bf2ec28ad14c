import { Injectable } from '@nestjs/common';
import { Brand } from '../../edge/page/index.js';
import { Config } from '../../platform/config/index.js';
import { columns, Database, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Mac, MAC_BYTES } from '../../platform/kernel/mac.js';
import { randomBytes } from '../../platform/kernel/random.js';
import { isStorable } from '../../platform/kernel/text.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { Factors } from './factors.js';
import { PasskeyEntity } from './passkey.entity.js';

const LISTED = columns(PasskeyEntity).only('id', 'name', 'createdAt', 'lastUsedAt');
const STORED = columns(PasskeyEntity).only('id', 'userId', 'publicKey', 'counter');
const NEW = columns(PasskeyEntity).only('id', 'userId', 'publicKey', 'counter', 'transports', 'name', 'challengeAt');

export type ListedPasskey = RowOf<typeof LISTED>;
type StoredPasskey = RowOf<typeof STORED>;
type NewPasskey = Pick<PasskeyEntity, 'id' | 'publicKey' | 'counter' | 'transports' | 'challengeAt'>;

export type PasskeyAddOutcome =
  /** `codes`: new recovery codes, if the person had no factor before. */
  { readonly kind: 'added'; readonly codes: readonly string[] | null } | { readonly kind: 'refused' };

export const MAX_PASSKEY_NAME = 40;
const MAX_PASSKEYS = 20;
const MAX_TRANSPORTS = 10;
/** Of an RSA key of 2,048 bits with the usual exponent it is 272: one as long as its modulus makes each check cost a hundred times as much. */
const MAX_KEY_BYTES = 300;

const LIST = sql`SELECT ${LISTED.of('p')} FROM user_passkey p WHERE p.user_id = $1 ORDER BY p.created_at, p.id`;
const FIND = sql`SELECT ${STORED.of('p')} FROM user_passkey p WHERE p.id = $1`;
const ADD = sql`INSERT INTO user_passkey (${NEW.names}) SELECT ${NEW.parameters()}
         WHERE (SELECT count(*) FROM user_passkey p WHERE p.user_id = $2) < ${MAX_PASSKEYS} ON CONFLICT DO NOTHING RETURNING 1`;
const REMOVE = sql`DELETE FROM user_passkey WHERE user_id = $1 AND id = $2 RETURNING 1`;
/** One statement, so that of concurrent requests with one challenge only one passes. */
const USE = sql`UPDATE user_passkey SET counter = $2, challenge_at = $3, last_used_at = now()
          WHERE id = $1 AND challenge_at < $3 AND (counter < $2 OR counter = 0 AND $2 = 0) RETURNING 1`;

const CHALLENGE_MS = 300_000;
const SALT_BYTES = 16;
const TIME_BYTES = 6;
const RS256 = -257;
const ES256 = -7;
const EDDSA = -8;

/** What a challenge is for: the one of a registration is none of a sign-in. */
type Purpose = 'create' | 'get';

const userHandleOf = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Passkeys (WebAuthn). A challenge is signed and not stored: it names its time, and its code covers the browser that got it. Each passkey
 * accepts only a challenge that is later than its last one, so that none works twice.
 */
@Injectable()
export class Passkeys {
  readonly #mac: Mac;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly factors: Factors,
    private readonly brand: Brand,
  ) {
    this.#mac = new Mac('sluice passkey challenge v1', config.secretKey, config.secretKeyPrevious);
  }

  list(userId: string): Promise<ListedPasskey[]> {
    return this.database.query<ListedPasskey>(LIST, [userId]);
  }

  /** For `navigator.credentials.create`, as JSON. @param binding the browser's session */
  async creationOptions({ id, email }: { readonly id: string; readonly email: string }, binding: string): Promise<string> {
    const known = await this.list(id);
    return JSON.stringify({
      challenge: this.challenge('create', binding),
      rp: { id: this.site.hostname, name: this.brand.name },
      user: { id: userHandleOf(id), name: email, displayName: email },
      pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: known.map((passkey) => ({ type: 'public-key', id: passkey.id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: CHALLENGE_MS,
    });
  }

  /** For `navigator.credentials.get`, as JSON: the person chooses among the passkeys of this site. @param binding the browser's pre-session or session */
  requestOptions(binding: string): string {
    const challenge = this.challenge('get', binding);
    return JSON.stringify({ challenge, rpId: this.site.hostname, userVerification: 'required', timeout: CHALLENGE_MS });
  }

  /** @param response of the browser, as JSON */
  async add(userId: string, binding: string, name: string, response: string): Promise<PasskeyAddOutcome> {
    const passkey = await this.verifyNew(binding, response);
    if (!passkey) return { kind: 'refused' };
    const shown = isStorable(name) && name.trim() !== '' ? name.trim().slice(0, MAX_PASSKEY_NAME) : 'Passkey';
    const added = await this.factors.add(userId, (tx) => tx.query(ADD, NEW.valuesOf({ ...passkey, userId, name: shown })));
    return added ? { kind: 'added', codes: added.codes } : { kind: 'refused' };
  }

  /** @returns false if it is none of this person */
  remove(userId: string, id: string): Promise<boolean> {
    return this.factors.remove(userId, async (tx: Tx) => isStorable(id) && (await tx.query(REMOVE, [userId, id])).length > 0);
  }

  /** Who has proved who they are with this response; null: it is not valid, or was used before. */
  async verify(binding: string, response: string): Promise<string | null> {
    const sent = parsed(response);
    const [stored] = typeof sent?.id === 'string' && isStorable(sent.id) ? await this.database.query<StoredPasskey>(FIND, [sent.id]) : [];
    if (!stored || !sent) return null;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    let madeAt: Date | null = null;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: sent as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
        expectedChallenge: (challenge) => (madeAt = this.timeOf('get', binding, challenge)) !== null,
        expectedOrigin: this.site.origin,
        expectedRPID: this.site.hostname,
        credential: { id: stored.id, publicKey: new Uint8Array(stored.publicKey), counter: Number(stored.counter) },
      });
      const handle = sent.response?.userHandle;
      if (!verified || (handle !== undefined && handle !== null && handle !== userHandleOf(stored.userId))) return null;
      const used = await this.database.query(USE, [stored.id, authenticationInfo.newCounter, madeAt]);
      return used.length > 0 ? stored.userId : null;
    } catch (error) {
      return refusedBy(error);
    }
  }

  private async verifyNew(binding: string, response: string): Promise<NewPasskey | null> {
    const sent = parsed(response);
    if (!sent) return null;
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    let challengeAt: Date | null = null;
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: sent as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
        expectedChallenge: (challenge) => (challengeAt = this.timeOf('create', binding, challenge)) !== null,
        expectedOrigin: this.site.origin,
        expectedRPID: this.site.hostname,
      });
      if (!verified || challengeAt === null) return null;
      const { id, publicKey, counter, transports: sentTransports = [] } = registrationInfo.credential;
      if (publicKey.length > MAX_KEY_BYTES) return null;
      const transports = [...sentTransports].filter(isTransport).slice(0, MAX_TRANSPORTS);
      return { id, publicKey: Buffer.from(publicKey), counter: BigInt(counter), transports, challengeAt };
    } catch (error) {
      return refusedBy(error);
    }
  }

  private get site(): URL {
    return new URL(this.config.publicUrl);
  }

  private challenge(purpose: Purpose, binding: string): string {
    const salt = randomBytes(SALT_BYTES);
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Math.floor(this.clock.now()), 0, TIME_BYTES);
    return Buffer.concat([salt, time, this.#mac.of(salt, time, `${purpose} ${binding}`)]).toString('base64url');
  }

  /** When this challenge was made; null if it is none of ours, is another browser's, or has expired. */
  private timeOf(purpose: Purpose, binding: string, challenge: string): Date | null {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== SALT_BYTES + TIME_BYTES + MAC_BYTES) return null;
    const [salt, time] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES, SALT_BYTES + TIME_BYTES)];
    const madeAt = time.readUIntBE(0, TIME_BYTES);
    const isOurs = this.#mac.verify(bytes.subarray(SALT_BYTES + TIME_BYTES), salt, time, `${purpose} ${binding}`);
    return isOurs && madeAt + CHALLENGE_MS > this.clock.now() ? new Date(madeAt) : null;
  }
}

interface SentResponse {
  readonly id?: unknown;
  readonly response?: { readonly userHandle?: unknown };
}

/** The library passes on what the browser has sent. */
const isTransport = (sent: unknown): boolean => typeof sent === 'string' && /^[a-z-]{1,32}$/.test(sent);

function parsed(text: string): SentResponse | null {
  const value = orNone(() => JSON.parse(text) as unknown);
  return typeof value === 'object' ? value : null;
}

/** The library throws for every response that is not valid; a fault of the database is none of them. */
function refusedBy(error: unknown): null {
  if (error instanceof Error && 'code' in error && 'severity' in error) throw error;
  return null;
}
