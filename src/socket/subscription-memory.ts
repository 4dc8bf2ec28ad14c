import { Injectable } from '@nestjs/common';
import type { DocumentNode } from 'graphql';
import { Config } from '../config/index.js';
import { bytesOfDocument } from '../graphql/index.js';
import { Metrics } from '../metrics/index.js';

/** graphql-ws keeps the text of the message and what was parsed from it until the subscription ends; a character takes up to two bytes in each. */
const BYTES_OF_CHARACTER = 4;
/** Its stream, its context and its place in graphql-ws take as much, also when its message is short. */
const BYTES_OF_SUBSCRIPTION = 4 * 1024;
/** Passes beyond the limit of the process, so that no crowd closes subscriptions to others. */
const FREE_BYTES = 64 * 1024;

export interface SubscriptionOwner {
  readonly key: string;
  readonly isAnonymous: boolean;
}

/** What one owner has open, or all of them. A document counts once, however many subscriptions use it. */
class OpenSubscriptions {
  bytes = 0;
  private readonly uses = new Map<DocumentNode, number>();

  growth(document: DocumentNode, textBytes: number): number {
    return textBytes + (this.uses.has(document) ? 0 : bytesOfDocument(document));
  }

  add(document: DocumentNode, textBytes: number): void {
    this.bytes += this.growth(document, textBytes);
    this.uses.set(document, (this.uses.get(document) ?? 0) + 1);
  }

  /** @returns whether another subscription uses the document */
  remove(document: DocumentNode, textBytes: number): boolean {
    const uses = (this.uses.get(document) ?? 1) - 1;
    if (uses > 0) this.uses.set(document, uses);
    else this.uses.delete(document);
    this.bytes -= this.growth(document, textBytes);
    return uses > 0;
  }
}

/**
 * Limits the memory of open subscriptions, per caller and for the process: their number is no bound, because one may keep a message of
 * `SOCKET_MESSAGE_BYTES` and a document that takes ten times as much.
 */
@Injectable()
export class SubscriptionMemory {
  private readonly all = new OpenSubscriptions();
  private readonly byOwner = new Map<string, OpenSubscriptions>();
  /** By text: a document in use is not parsed again, even when the cache has lost it. */
  private readonly documents = new Map<string, DocumentNode>();

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge('sluice_subscriptions_bytes', 'Memory of open subscriptions: their messages and documents', () => this.all.bytes);
  }

  /** The document of an open subscription. */
  documentOf(text: string): DocumentNode | undefined {
    return this.documents.get(text);
  }

  /**
   * Counts a subscription until it ends.
   * @param characters of its message
   * @returns how to end the count, or undefined if it exceeds a limit
   */
  begin(owner: SubscriptionOwner, document: DocumentNode, characters: number): (() => void) | undefined {
    const textBytes = BYTES_OF_SUBSCRIPTION + characters * BYTES_OF_CHARACTER;
    const open = this.byOwner.get(owner.key) ?? new OpenSubscriptions();
    if (this.exceedsLimit(owner, open, document, textBytes)) return undefined;
    this.byOwner.set(owner.key, open);
    open.add(document, textBytes);
    this.all.add(document, textBytes);
    this.documents.set(textOf(document), document);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      open.remove(document, textBytes);
      if (open.bytes === 0) this.byOwner.delete(owner.key);
      if (!this.all.remove(document, textBytes)) this.documents.delete(textOf(document));
    };
  }

  /** Callers without a credential may take half of the process's memory for subscriptions. */
  private exceedsLimit({ isAnonymous }: SubscriptionOwner, open: OpenSubscriptions, document: DocumentNode, textBytes: number): boolean {
    const { subscriptionBytesPerCaller, subscriptionBytesPerProcess } = this.config.socket;
    const bytes = open.bytes + open.growth(document, textBytes);
    if (bytes > subscriptionBytesPerCaller) return true;
    const most = isAnonymous ? subscriptionBytesPerProcess / 2 : subscriptionBytesPerProcess;
    return bytes > FREE_BYTES && this.all.bytes + this.all.growth(document, textBytes) > most;
  }
}

const textOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';
