import { Injectable } from '@nestjs/common';
import { ApiKeyLimits } from '../../api-key/index.js';
import type { Budget } from '../../budget/index.js';
import { PageError } from '../../page/index.js';
import { limitsTyped, type LimitsForm, type LimitsOutcome } from './typed-limit.js';

/** Reads and changes the spending limits of API keys from what a person typed. */
@Injectable()
export class KeyLimitsPageService {
  constructor(private readonly limits: ApiKeyLimits) {}

  /** @param id of a key of this person */
  load(id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  /** Sets what the person has changed. @throws PageError unless it is a key of this person */
  async save(userId: string, id: string, sent: LimitsForm): Promise<LimitsOutcome> {
    const typed = limitsTyped(sent, await this.limits.load(id));
    if (typed === null) return { kind: 'stale' };
    const outcome = await this.limits.replace(userId, id, typed.wanted);
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    if (outcome.kind === 'invalid') return { kind: 'mistaken', errors: typed.errorsOf(outcome.windows) };
    return { kind: outcome.kind === 'ended' ? 'ended' : 'saved' };
  }
}
