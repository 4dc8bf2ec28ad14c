import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { isUuid, newId } from '../kernel/uuid.js';

/** A browser in which a person has signed in before. */
export interface Device {
  readonly id: string;
  readonly userId: string;
}

const MAC_BYTES = 32;
const SHAPE = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

/** A separate key for this purpose, so that no other value signed under the secret is valid here. */
const deriveKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'sluice device cookie v1', MAC_BYTES));

/**
 * What a browser keeps after its session has ended: the account, signed. It authenticates nothing. The sign-in compares that account's
 * password apart from the attempts of strangers, so that they can neither use up the owner's attempts nor delay the owner.
 */
@Injectable()
export class DeviceCookie {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  private readonly lifeSeconds: number;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    const previous = config.secretKeyPrevious === undefined ? [] : [deriveKey(config.secretKeyPrevious)];
    this.#keys = [deriveKey(config.secretKey), ...previous];
    this.lifeSeconds = config.session.deviceSeconds;
  }

  /** For a browser in which this person has just signed in. */
  make(userId: string): string {
    const body = `${newId()}.${userId}.${Math.floor(this.clock.now() / 1000)}`;
    return `${body}.${this.#mac(this.#keys[0], body).toString('base64url')}`;
  }

  /** Null: not signed by Sluice, or too old. */
  read(value: string | undefined): Device | null {
    const [, id = '', userId = '', madeAt = '', mac = ''] = SHAPE.exec(value ?? '') ?? [];
    if (!isUuid(id) || !isUuid(userId)) return null;
    const shown = Buffer.from(mac, 'base64url');
    const isOurs = this.#keys.map((key) => timingSafeEqual(this.#mac(key, `${id}.${userId}.${madeAt}`), shown)).includes(true);
    return isOurs && Number(madeAt) + this.lifeSeconds > this.clock.now() / 1000 ? { id, userId } : null;
  }

  #mac(key: Buffer, body: string): Buffer {
    return createHmac('sha256', key).update(body, 'utf8').digest();
  }
}
