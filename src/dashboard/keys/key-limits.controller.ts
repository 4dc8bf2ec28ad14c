import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { PageSession } from '../../edge/auth/index.js';
import { PageController, PageError, PageRenderer } from '../../edge/page/index.js';
import { LimitsPages, type NoForm } from '../limits/limits-pages.js';
import { canEverSend, canSend, limitsWithoutEffectPage, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { keyGonePage } from './key.view.js';
import { KeysPageService } from './keys.service.js';

@PageController('dashboard/keys/:id/limits')
@PageSession()
export class KeyLimitsController extends LimitsPages {
  protected readonly pageOf = paths.key;

  constructor(
    renderer: PageRenderer,
    private readonly keys: KeysPageService,
  ) {
    super(renderer);
  }

  protected async find(userId: string, id: string): Promise<Spender | NoForm> {
    const key = await this.keys.find(userId, id);
    if (key.ended) return { kind: 'no_form', page: (frame) => keyGonePage({ frame, key }), status: 200, sentStatus: 410 };
    const movesMoney = canSend(key.scopes);
    const spender: Spender = { kind: 'key', movesMoney, name: key.name, href: paths.key(id), action: paths.keyLimits(id) };
    if (canEverSend(spender)) return spender;
    return { kind: 'no_form', page: (frame) => limitsWithoutEffectPage(spender, frame), status: 200, sentStatus: 422 };
  }

  protected load(_userId: string, id: string): Promise<Budget> {
    return this.keys.budget(id);
  }

  protected async change(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    const kind = await this.keys.changeLimits(userId, id, change);
    if (kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    return kind === 'changed';
  }
}
