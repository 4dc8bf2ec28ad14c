import { Injectable } from '@nestjs/common';
import { Brand } from '../../edge/page/index.js';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { orNone } from '../../platform/kernel/or-none.js';

/** What a person scans or types into an authenticator app. `id` is the secret and its end, encrypted: the server stores nothing before a code confirms it. */
export interface TotpRegistration {
  readonly id: string;
  /** In base32. */
  readonly secret: string;
  /** `otpauth://`, for a QR code. */
  readonly uri: string;
}

const PERIOD_SECONDS = 30;
/** Accepted steps before and after the present one: clocks of phones differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const REGISTRATION_MS = 3_600_000;

/** One-time codes of authenticator apps (RFC 6238), and their secrets encrypted under SECRET_KEY. */
@Injectable()
export class Totp {
  readonly #cipher: SecretCipher;
  private readonly issuer: string;

  constructor(
    { secretKey, secretKeyPrevious, publicUrl }: Config,
    private readonly clock: Clock,
    { name }: Brand,
  ) {
    this.#cipher = new SecretCipher(secretKey, secretKeyPrevious);
    this.issuer = `${name} ${new URL(publicUrl).host}`.replaceAll(':', ' ');
  }

  async register(userId: string, label: string): Promise<TotpRegistration> {
    const { Secret } = await import('otpauth');
    const secret = new Secret({ size: SECRET_BYTES }).base32;
    const ending = Math.floor(this.clock.now() + REGISTRATION_MS);
    const id = this.#cipher.encrypt(Buffer.from(`${ending} ${secret}`), `totp registration ${userId}`).toString('base64url');
    return { id, secret, uri: await this.uriOf(secret, label) };
  }

  /** @returns null if it is another person's, has ended, or is not one of ours */
  async readRegistration(userId: string, id: string, label: string): Promise<TotpRegistration | null> {
    const text = this.opened(Buffer.from(id, 'base64url'), `totp registration ${userId}`);
    const [ending = '', secret = ''] = text?.split(' ') ?? [];
    return Number(ending) > this.clock.now() ? { id, secret, uri: await this.uriOf(secret, label) } : null;
  }

  seal(userId: string, secret: string): Buffer {
    return this.#cipher.encrypt(Buffer.from(secret), `totp ${userId}`);
  }

  /** @returns null if it was encrypted under a SECRET_KEY that is not configured any more */
  unseal(userId: string, sealed: Buffer): string | null {
    return this.opened(sealed, `totp ${userId}`);
  }

  /** The time step that this code is of; null if it is of none near now. Compares in constant time. */
  async stepOf(secret: string, code: string): Promise<number | null> {
    const { TOTP } = await import('otpauth');
    const timestamp = this.clock.now();
    const delta = new TOTP({ secret, period: PERIOD_SECONDS }).validate({ token: code, window: WINDOW, timestamp });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  }

  private async uriOf(secret: string, label: string): Promise<string> {
    const { TOTP } = await import('otpauth');
    return new TOTP({ issuer: this.issuer, label, secret, period: PERIOD_SECONDS }).toString();
  }

  private opened(sealed: Buffer, context: string): string | null {
    return orNone(() => this.#cipher.decrypt(sealed, context).toString()) ?? null;
  }
}
