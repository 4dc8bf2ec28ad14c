import { Injectable } from '@nestjs/common';
import { ApiKeyLimits } from '../../api-key/index.js';
import type { Budget } from '../../budget/index.js';
import { PageError } from '../../page/index.js';
import { limitsTyped, type LimitErrors, type TypedLimits } from './typed-limit.js';

/** Reads and changes the spending limits of API keys from what a person typed. */
@Injectable()
export class KeyLimitsPageService {
  constructor(private readonly limits: ApiKeyLimits) {}

  /** @param id of a key of this person */
  load(id: string): Promise<Budget> {
    return this.limits.load(id);
  }

  /** @returns the errors by their fields; null: the limits are set. @throws PageError unless it is a key of this person */
  async save(userId: string, id: string, values: TypedLimits): Promise<LimitErrors | null> {
    const { wanted, errorsOf } = limitsTyped(values);
    const outcome = await this.limits.replace(userId, id, wanted);
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    if (outcome.kind === 'changed') return null;
    // The page then shows that the key has ended.
    return outcome.kind === 'ended' ? {} : errorsOf(outcome.windows);
  }
}
