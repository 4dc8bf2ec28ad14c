import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Mac } from '../../platform/kernel/mac.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { SessionSettings } from './session.settings.js';

export interface Device {
  readonly id: string;
  readonly userId: string;
}

const SHAPE = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * A browser keeps it after its session has ended: the account, signed. It authenticates nothing. The sign-in compares that account's
 * password apart from the attempts of strangers, so that they can neither use up the owner's attempts nor delay the owner.
 */
@Injectable()
export class DeviceCookie {
  readonly #mac: Mac;
  private readonly lifeSeconds: number;

  constructor(
    config: Config,
    settings: SessionSettings,
    private readonly clock: Clock,
  ) {
    this.#mac = new Mac('sluice device cookie v1', config.secretKey, config.secretKeyPrevious);
    this.lifeSeconds = settings.deviceSeconds;
  }

  make(userId: string): string {
    const body = `${newId()}.${userId}.${Math.floor(this.clock.now() / 1000)}`;
    return `${body}.${this.#mac.of(body).toString('base64url')}`;
  }

  read(value: string | undefined): Device | null {
    const [, id = '', userId = '', madeAt = '', mac = ''] = SHAPE.exec(value ?? '') ?? [];
    if (!isUuid(id) || !isUuid(userId)) return null;
    const shown = Buffer.from(mac, 'base64url');
    const isOurs = this.#mac.verify(shown, `${id}.${userId}.${madeAt}`);
    return isOurs && Number(madeAt) + this.lifeSeconds > this.clock.now() / 1000 ? { id, userId } : null;
  }
}
