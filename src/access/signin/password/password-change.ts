import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../../../edge/auth/index.js';
import { ApiKeyService } from '../../api-key/index.js';
import { SessionService, StepUp, type StepUpOutcome } from '../../session/index.js';
import { UserService, type PasswordChangeWork } from '../../user/index.js';
import { endingKeys } from '../ended-credentials.js';

export interface PasswordChangeForm {
  readonly current: string;
  readonly password: string;
  /** What ends with the old password: `keys`, `apps`. */
  readonly ended: readonly string[];
}

export type PasswordChangeResult =
  | Exclude<StepUpOutcome, { kind: 'confirmed' }>
  | { readonly kind: 'invalid' }
  /** The session of this browser continues under another identifier. */
  | { readonly kind: 'changed'; readonly token: string };

@Injectable()
export class PasswordChange {
  constructor(
    private readonly steps: StepUp,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly keys: ApiKeyService,
  ) {}

  /** A new password ends all sessions; in its transaction this browser gets another one. @throws TurnRefusedError */
  async run(visitor: Visitor, request: FastifyRequest, { current, password, ended }: PasswordChangeForm): Promise<PasswordChangeResult> {
    const checked = await this.steps.checkPassword(visitor, current);
    if ('kind' in checked) return checked;
    let token: string | undefined;
    const { address, headers } = request;
    const next = { purpose: 'page', userAgent: headers['user-agent'] ?? '', address, passwordHash: null, isNewBrowser: false } as const;
    const work: PasswordChangeWork = async (tx, userId) => {
      await endingKeys(this.keys, ended)(tx, userId);
      token = (await this.sessions.openWithin(tx, { ...next, userId, amr: visitor.session.amr }))?.token;
    };
    const outcome = await this.users.changePassword(checked.id, password, work, checked.passwordHash, !ended.includes('apps'));
    if (outcome.kind === 'invalid') return { kind: 'invalid' };
    return outcome.kind === 'changed' && token !== undefined ? { kind: 'changed', token } : { kind: 'ended' };
  }
}
