import { Injectable } from '@nestjs/common';
import { EgressClient, type EgressResult } from '../../../edge/egress/index.js';
import { RateLimiter, type RateLimitResult } from '../../../edge/rate-limit/index.js';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';
import { Clock, DAY_SECONDS } from '../../../platform/kernel/clock.js';
import { documentIn, type ClientDocument } from './client-document.js';

/** A text says why the document cannot be used. */
export type ReadDocument = ClientDocument | string;

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 5_120;
const MIN_SECONDS = 60;
/** How long an address that gave no document is left alone. */
const PAUSE_SECONDS = 10;
const MAX_KEPT = 1_000;

interface Kept {
  readonly read: Promise<ReadDocument>;
  readonly since: number;
  until: number;
}

/** The documents of unregistered apps. Any caller can name any address, so each is asked seldom, and once at a time. */
@Injectable()
export class ClientDocumentSource {
  private readonly kept = new BoundedMap<string, Kept>(MAX_KEPT);

  constructor(
    private readonly egress: EgressClient,
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * @param isKnown it was used before: a caller who invents addresses at its host does not use up what it may ask
   * @param isStored where the database has another one than the copy that was kept, another process has read a later one
   * @returns the result of a limit if too many addresses were asked for
   */
  async read(
    url: string,
    address: string,
    isKnown: boolean,
    isStored: (document: ReadDocument) => boolean,
  ): Promise<ReadDocument | { readonly limit: RateLimitResult }> {
    const [known, since] = [this.kept.get(url), this.clock.elapsed()];
    const isNew = known && since < known.since + MIN_SECONDS * 1_000;
    if (known && since < known.until && (isNew || isStored(await known.read))) return known.read;
    const limits = [this.limiter.consumeNow('clientDocument', address)];
    if (!isKnown && !limits[0]?.isBlocked) limits.push(this.limiter.consumeNow('clientDocumentHost', new URL(url).host));
    const limit = limits.find(({ isBlocked }) => isBlocked);
    if (limit) return { limit };
    const keepFor = (seconds: number): unknown => (asked.until = this.clock.elapsed() + seconds * 1_000);
    const asked: Kept = { read: this.ask(url, keepFor), since, until: Infinity };
    this.kept.set(url, asked);
    return asked.read;
  }

  private async ask(url: string, keepFor: (seconds: number) => unknown): Promise<ReadDocument> {
    const headers = { accept: 'application/json' };
    const result = await this.egress.request({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const document = documentOf(result, url);
    keepFor(typeof document === 'string' || result.kind !== 'response' ? PAUSE_SECONDS : lifeOf(result.headers));
    return document;
  }
}

type Headers = Extract<EgressResult, { kind: 'response' }>['headers'];

function documentOf(result: EgressResult, url: string): ReadDocument {
  if (result.kind !== 'response') return `it was not fetched: ${'reason' in result ? result.reason : result.kind}`;
  if (result.status !== 200) return `its status is ${result.status}`;
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(String(result.headers['content-type']))) return 'its content type is not JSON';
  return documentIn(result.body, url);
}

/** By its headers (RFC 9111 section 5), between a minute and a day. */
function lifeOf({ 'cache-control': control, expires, date }: Headers): number {
  const [, age] = /\bmax-age="?(\d{1,9})/i.exec(String(control)) ?? [];
  const stated = age === undefined ? (Date.parse(String(expires)) - Date.parse(String(date))) / 1_000 : Number(age);
  const isKept = !/\bno-(?:store|cache)\b/i.test(String(control));
  return Math.min(DAY_SECONDS, Math.max(MIN_SECONDS, isKept ? stated || 0 : 0));
}
