import { Injectable } from '@nestjs/common';
import { ApiKeyLimits } from '../../access/api-key/index.js';
import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { PageError } from '../../edge/page/index.js';
import type { NoForm, SpenderLimits } from '../limits/limits-forms.js';
import { canEverSend, canSend, limitsWithoutEffectPage, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { keyGonePage } from './key.view.js';
import { KeysPageService } from './keys.service.js';

@Injectable()
export class KeyLimitsPageService implements SpenderLimits {
  readonly pageOf = paths.key;

  constructor(
    private readonly keys: KeysPageService,
    private readonly limits: ApiKeyLimits,
  ) {}

  async find(userId: string, id: string): Promise<Spender | NoForm> {
    const key = await this.keys.find(userId, id);
    if (key.ended) return { kind: 'no_form', page: (frame) => keyGonePage({ frame, key }), status: 200, sentStatus: 410 };
    const spender: Spender = {
      kind: 'key',
      movesMoney: canSend(key.scopes),
      name: key.name,
      href: this.pageOf(id),
      action: paths.keyLimits(id),
    };
    if (canEverSend(spender)) return spender;
    return { kind: 'no_form', page: (frame) => limitsWithoutEffectPage(spender, frame), status: 200, sentStatus: 422 };
  }

  load(_userId: string, id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  async save(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    const { kind } = await this.limits.change(userId, id, change);
    if (kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    return kind === 'changed';
  }
}
