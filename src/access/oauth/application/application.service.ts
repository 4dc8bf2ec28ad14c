import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import { Database, isUniqueViolation, type Tx } from '../../../platform/database/index.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { isClientId, type Client } from '../client/client.js';
import { ClientService } from '../client/client.service.js';
import { OFFLINE_SCOPES } from '../scope-text.js';
import { changesOf, faultsOf, wantedOf, type ApplicationChange, type ApplicationFault, type NewApplication } from './application.js';
import type { ApplicationState } from '../client/application.entity.js';
import { ApplicationLog, type Actor } from './application-log.js';
import { ApplicationStore, type ApplicationFilter, type ApplicationRow, type OperatorMarks } from './application.store.js';

export interface Application extends ApplicationRow {
  /** What differs from the approved version; empty when nothing does. */
  readonly changes: readonly ApplicationChange[];
  /** What its developer reads: the state of what was asked for, or that the approved version is suspended. */
  readonly status: ApplicationState | 'suspended';
}

export type RegisterOutcome =
  /** The secret is shown only now; public clients have none. */
  | { readonly kind: 'registered'; readonly client: Client; readonly secret: string | null }
  | { readonly kind: 'invalid'; readonly faults: readonly ApplicationFault[] }
  | { readonly kind: 'id_taken' };

export interface Approval {
  /** The version that the operator has seen. */
  readonly version: number;
  /** Scopes that are asked for and not approved. */
  readonly withoutScopes?: readonly string[];
  readonly requirePkce?: boolean;
  readonly verified?: boolean | undefined;
}

export type DecisionOutcome =
  | { readonly kind: 'decided'; readonly application: Application }
  | { readonly kind: 'not_found' }
  /** It was decided before, or its developer has withdrawn it. */
  | { readonly kind: 'not_waiting'; readonly application: Application }
  /** Its developer has changed it since: look at it again. */
  | { readonly kind: 'changed'; readonly application: Application }
  | { readonly kind: 'invalid'; readonly text: string };

const applicationOf = (row: ApplicationRow): Application => ({
  ...row,
  changes: changesOf(row.client, row),
  status: row.client?.state === 'suspended' ? 'suspended' : row.state,
});

const MAX_REASON = 1_000;

/** The applications, and what the operator decides about them. */
@Injectable()
export class ApplicationService {
  constructor(
    private readonly store: ApplicationStore,
    private readonly clients: ClientService,
    private readonly log: ApplicationLog,
    private readonly catalogue: ScopeCatalogue,
    private readonly database: Database,
  ) {}

  /** The oldest first. */
  async list(filter: ApplicationFilter = {}): Promise<readonly Application[]> {
    return (await this.store.list(filter)).map(applicationOf);
  }

  /** @param ownerId finds only an application of this person */
  async find(id: string, ownerId?: string): Promise<Application | null> {
    if (!isClientId(id)) return null;
    return (await this.list({ id, ...(ownerId !== undefined && { ownerId }) }))[0] ?? null;
  }

  /** An app of the operator, approved at once. */
  async register(asked: NewApplication & OperatorMarks, by: Actor): Promise<RegisterOutcome> {
    const [id, wanted] = [asked.id ?? newId(), wantedOf(asked)];
    const faults = faultsOf(id, wanted, this.catalogue, false);
    if (faults.length > 0) return { kind: 'invalid', faults };
    try {
      return await this.database.transaction(async (tx) => {
        await this.store.add(tx, id, null, 'waiting', wanted);
        await this.store.approve(tx, id, wanted, asked);
        const added = await this.clients.addSecretWithin(tx, id);
        await this.log.record(tx, { action: 'client register', id, by, details: { name: wanted.name } });
        const [application] = await this.store.list({ id }, tx);
        if (!application?.client) throw new Error('The registered client is not there');
        return { kind: 'registered', client: application.client, secret: added.kind === 'added' ? added.secret : null };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'oauth_application_pk') || isUniqueViolation(error, 'oauth_client_pk')) return { kind: 'id_taken' };
      throw error;
    }
  }

  /** Puts the version into force that the operator has seen, and no other. */
  approve(id: string, { version, withoutScopes = [], requirePkce, verified }: Approval, by: Actor): Promise<DecisionOutcome> {
    return this.decide(id, version, async (tx, application) => {
      const unasked = withoutScopes.find((scope) => !application.scopes.includes(scope));
      if (unasked !== undefined) return `${unasked} is not a scope that the application asks for`;
      const struck = withoutScopes.some((scope) => OFFLINE_SCOPES.includes(scope)) ? [...withoutScopes, ...OFFLINE_SCOPES] : withoutScopes;
      const scopes = application.scopes.filter((scope) => !struck.includes(scope));
      if (scopes.length === 0) return 'At least one scope must be left';
      const approved = { ...application, scopes, requirePkce: application.requirePkce || requirePkce === true };
      await this.store.approve(tx, id, approved, { verified });
      const details = { name: application.name, version, ...(withoutScopes.length > 0 && { withoutScopes }) };
      const reason = withoutScopes.length > 0 ? `Without ${withoutScopes.join(', ')}.` : undefined;
      await this.log.record(tx, { action: 'client approve', id, by, details, state: 'approved', reason });
      return undefined;
    });
  }

  /** An approved version keeps working. @param reason what the developer reads */
  refuse(id: string, { version, reason }: { readonly version: number; readonly reason: string }, by: Actor): Promise<DecisionOutcome> {
    return this.decide(id, version, async (tx, application) => {
      const text = reason.trim();
      if (text === '' || text.length > MAX_REASON || text.includes('\0')) return `The reason must have 1 to ${MAX_REASON} characters`;
      await this.store.refuse(tx, application, text);
      const who = { ...by, because: by.because || text };
      const details = { name: application.name, version };
      await this.log.record(tx, { action: 'client refuse', id, by: who, details, state: 'refused', reason: text });
      return undefined;
    });
  }

  /** Ends all access of the app, on every process within a second. Null: it has no approved version. */
  suspend(id: string, by: Actor): Promise<Client | null> {
    return this.clients.suspend(id, (tx, { name }) =>
      this.log.record(tx, { action: 'client suspend', id, by, details: { name }, state: 'suspended' }),
    );
  }

  /** What was not ended meanwhile works again. Null: it has no approved version. */
  resume(id: string, by: Actor): Promise<Client | null> {
    return this.clients.resume(id, (tx, { name }) =>
      this.log.record(tx, { action: 'client resume', id, by, details: { name }, state: 'approved' }),
    );
  }

  /** @param act returns a sentence if it cannot be decided so */
  private decide(
    id: string,
    version: number,
    act: (tx: Tx, application: ApplicationRow) => Promise<string | undefined>,
  ): Promise<DecisionOutcome> {
    return this.database.transaction(async (tx) => {
      const row = isClientId(id) ? await this.store.lock(tx, id) : null;
      if (!row) return { kind: 'not_found' };
      if (row.state !== 'waiting') return { kind: 'not_waiting', application: applicationOf(row) };
      if (row.version !== version) return { kind: 'changed', application: applicationOf(row) };
      const fault = await act(tx, row);
      if (fault !== undefined) return { kind: 'invalid', text: fault };
      const [decided = row] = await this.store.list({ id }, tx);
      return { kind: 'decided', application: applicationOf(decided) };
    });
  }
}
