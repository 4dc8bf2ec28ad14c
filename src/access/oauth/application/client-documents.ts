import { Injectable } from '@nestjs/common';
import { ScopeCatalogue, type Visitor } from '../../../edge/auth/index.js';
import { RateLimiter, type RateLimitResult } from '../../../edge/rate-limit/index.js';
import type { Client } from '../client/client.js';
import type { ClientDocument } from '../client/client-document.js';
import { ClientDocumentSource, type ReadDocument } from '../client/client-document-source.js';
import { OAuthSettings } from '../oauth.settings.js';
import { changesOf, wantedOf, type WantedApplication } from './application.js';
import { DocumentApplications } from './document-applications.js';

export interface DocumentRequest {
  /** Of the caller. */
  readonly address: string;
  readonly visitor: Visitor | null;
}

export type DocumentOutcome =
  | { readonly kind: 'client'; readonly client: Client }
  /** The operator decides about it; unasked: once a person has signed in and tries again. */
  | { readonly kind: 'pending' | 'unasked' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'limited'; readonly limit: RateLimitResult };

const refused = (reason: string): DocumentOutcome => ({ kind: 'refused', reason });

/**
 * Apps that were not registered: the id is the address of a document, which is read for each authorization request. Its client is a row as any
 * other, so that tokens need no document; a changed document ends none of them.
 */
@Injectable()
export class ClientDocuments {
  constructor(
    private readonly source: ClientDocumentSource,
    private readonly applications: DocumentApplications,
    private readonly catalogue: ScopeCatalogue,
    private readonly limiter: RateLimiter,
    private readonly settings: OAuthSettings,
  ) {}

  /** Whether any can be used. */
  get areUsed(): boolean {
    const { CLIENT_METADATA: mode, allowedDocuments } = this.settings;
    return mode === 'review' || (mode === 'listed' && allowedDocuments.length > 0);
  }

  async find(url: string, { address, visitor }: DocumentRequest): Promise<DocumentOutcome> {
    const isListed = this.isListed(url);
    if (!isListed && this.settings.CLIENT_METADATA !== 'review') return refused('CLIENT_METADATA does not allow it');
    const row = await this.applications.find(url);
    // The operator may have approved fewer scopes than all.
    const scopes = row && !isListed ? row.scopes : this.catalogue.all().map(({ name }) => name);
    const wantedIn = (document: ClientDocument): WantedApplication => wantedOf({ ...document, scopes, confidential: false });
    const isStored = (read: ReadDocument): boolean =>
      row !== null && typeof read !== 'string' && changesOf(row, wantedIn(read)).length === 0;
    const read = await this.source.read(url, address, row !== null, isStored);
    if (typeof read === 'string') return refused(read);
    if ('limit' in read) return { kind: 'limited', limit: read.limit };
    const wanted = wantedIn(read);
    // What the list alone has approved was never submitted.
    const isKnown = row !== null && isStored(read) && (isListed || row.submittedAt !== null);
    if (isKnown && row.state === 'approved' && row.client) return { kind: 'client', client: row.client };
    if (isListed) return { kind: 'client', client: await this.applications.accept(url, wanted) };
    if (isKnown) return row.state === 'refused' ? refused('the operator has refused it') : { kind: 'pending' };
    return visitor ? this.submit(url, wanted, visitor.user) : { kind: 'unasked' };
  }

  private isListed(url: string): boolean {
    const { CLIENT_METADATA: mode, allowedDocuments } = this.settings;
    return mode !== 'off' && allowedDocuments.some((allowed) => allowed === url || allowed === new URL(url).host);
  }

  private async submit(url: string, wanted: WantedApplication, user: Visitor['user']): Promise<DocumentOutcome> {
    const limit = this.limiter.consumeNow('application', user.id);
    if (limit.isBlocked) return { kind: 'limited', limit };
    const fault = await this.applications.submit(url, wanted, user);
    return fault === undefined ? { kind: 'pending' } : refused(fault);
  }
}
