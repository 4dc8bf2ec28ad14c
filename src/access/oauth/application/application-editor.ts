import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import { Database, isUniqueViolation } from '../../../platform/database/index.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { isClientId } from '../client/client.js';
import {
  changesOf,
  faultsOf,
  reducedOf,
  wantedOf,
  type ApplicationFault,
  type NewApplication,
  type WantedApplication,
} from './application.js';
import type { ApplicationState } from '../client/application.entity.js';
import { ApplicationLog, type Actor } from './application-log.js';
import { ApplicationStore } from './application.store.js';

/** `ownerId` is who applies: null is the operator. `submit`: asks for the approval; otherwise it is a draft. */
export interface ApplyOptions {
  readonly ownerId: string | null;
  readonly submit: boolean;
}

export type ApplyOutcome =
  | { readonly kind: 'saved'; readonly id: string; readonly state: ApplicationState }
  | { readonly kind: 'invalid'; readonly faults: readonly ApplicationFault[] }
  | { readonly kind: 'id_taken' }
  | { readonly kind: 'too_many' };

export type ChangeOutcome = Extract<ApplyOutcome, { kind: 'saved' | 'invalid' }> | { readonly kind: 'not_found' };

/** Of one person, so that the operator's list stays readable. */
export const MAX_APPLICATIONS = 20;

const FIXED: ApplicationFault = { field: 'confidential', text: 'The type of an approved app cannot change: apply for another app.' };

/** What the developer of an app does: applies, and changes what is wanted. */
@Injectable()
export class ApplicationEditor {
  constructor(
    private readonly store: ApplicationStore,
    private readonly log: ApplicationLog,
    private readonly catalogue: ScopeCatalogue,
    private readonly database: Database,
  ) {}

  async apply(asked: NewApplication, { ownerId, submit }: ApplyOptions, by: Actor): Promise<ApplyOutcome> {
    const [id, wanted, state] = [asked.id ?? newId(), wantedOf(asked), submit ? 'waiting' : 'draft'] as const;
    const faults = faultsOf(id, wanted, this.catalogue, true);
    if (faults.length > 0) return { kind: 'invalid', faults };
    try {
      return await this.database.transaction(async (tx) => {
        if (ownerId !== null && (await this.store.countOf(tx, ownerId)) >= MAX_APPLICATIONS) return { kind: 'too_many' };
        await this.store.add(tx, id, ownerId, state, wanted);
        await this.log.record(tx, { action: 'client apply', id, by, details: { name: wanted.name, state }, state: submit && state });
        return { kind: 'saved', id, state };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'oauth_application_pk')) return { kind: 'id_taken' };
      throw error;
    }
  }

  /**
   * Removing is at once; everything else of an approved app waits for the approval, while the approved version keeps working.
   * @param change the last one of several counts
   */
  change(
    id: string,
    change: Partial<WantedApplication>,
    { ownerId, submit }: { readonly ownerId?: string; readonly submit: boolean },
    by: Actor,
  ): Promise<ChangeOutcome> {
    return this.database.transaction(async (tx) => {
      const row = isClientId(id) ? await this.store.lock(tx, id, ownerId) : null;
      if (!row) return { kind: 'not_found' };
      const { client } = row;
      const wanted = wantedOf({ ...row, ...change });
      const faults = faultsOf(id, wanted, this.catalogue, row.ownerId !== null);
      if (client && client.confidential !== wanted.confidential) faults.push(FIXED);
      if (faults.length > 0) return { kind: 'invalid', faults };
      const reduced = client && { ...client, ...reducedOf(client, wanted) };
      if (client && reduced && changesOf(client, { ...client, ...reduced }).length > 0) await this.store.reduce(tx, id, reduced);
      const state = changesOf(reduced, wanted).length === 0 ? 'approved' : submit ? 'waiting' : 'draft';
      await this.store.save(tx, id, state, wanted);
      const details = { name: wanted.name, state };
      await this.log.record(tx, { action: 'client update', id, by, details, state: state !== row.state && state });
      return { kind: 'saved', id, state };
    });
  }
}
