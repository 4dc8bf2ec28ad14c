import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { EgressClient } from '../../edge/egress/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { FairSlots } from '../../platform/kernel/fair-slots.js';
import { MAX_AMOUNT_MSAT, type Msat, msatOfSats } from '../../platform/kernel/money.js';
import { decodeInvoice } from '../lightning/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { isJsonObject, parsedJson, type JsonObject, isOwnDomain } from './lnurl-text.js';
import { PayOfferService } from './pay-offer.service.js';

interface ForeignOffer {
  readonly callback: string;
  readonly minMsat: Msat;
  readonly maxMsat: Msat;
  /** The invoice commits to this very text of the service. */
  readonly metadata: string;
}

/** Reads a `payRequest` with every rule of LUD-06, and refuses one that requires data of the payer (LUD-18), which Sluice does not send. */
function foreignOfferOf(described: JsonObject): ForeignOffer | 'not_lnurl' | 'payer_data_required' {
  const { tag, callback, minSendable, maxSendable, metadata, payerData } = described;
  if (tag !== 'payRequest' || typeof callback !== 'string' || !URL.canParse(callback)) return 'not_lnurl';
  if (!isAmount(minSendable) || !isAmount(maxSendable) || minSendable > maxSendable) return 'not_lnurl';
  if (typeof metadata !== 'string' || !isMetadata(metadata)) return 'not_lnurl';
  if (requiresPayerData(payerData)) return 'payer_data_required';
  const url = new URL(callback);
  url.hash = '';
  return { callback: url.href, minMsat: msatOf(minSendable), maxMsat: msatOf(maxSendable), metadata };
}

/** Services write "no limit" as a number that JavaScript rounds, up to infinity. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && (Number.isInteger(value) || value === Infinity);

const msatOf = (amount: number): Msat => BigInt(Math.min(amount, Number(MAX_AMOUNT_MSAT)));

/** An array of pairs, of which exactly one is `text/plain`. */
function isMetadata(text: string): boolean {
  const parsed = parsedJson(text);
  if (!Array.isArray(parsed)) return false;
  const plain = parsed.filter((pair) => Array.isArray(pair) && pair[0] === 'text/plain' && typeof pair[1] === 'string');
  return plain.length === 1;
}

const requiresPayerData = (payerData: unknown): boolean =>
  isJsonObject(payerData) && Object.values(payerData).some((field) => isJsonObject(field) && field['mandatory'] === true);

/** LUD-01. The reason is untrusted text. */
class ServiceError {
  readonly kind = 'service_error';
  constructor(readonly reason: string | undefined) {}
}

/** The callers of the API do not learn the fault: it would show them what Sluice's network reaches. */
type Fault =
  | ServiceError
  | 'not_reached'
  | 'not_lnurl'
  | 'payer_data_required'
  | 'undecodable_invoice'
  | 'wrong_network'
  | 'wrong_amount'
  | 'wrong_hash'
  | 'expired';

/** `failed`: the service did not return an invoice that keeps to the specification. Nothing but HTTP requests has happened in any case. */
type LnurlInvoice =
  | { readonly kind: 'invoice'; readonly paymentRequest: string }
  | { readonly kind: 'out_of_bounds' | 'busy' }
  | { readonly kind: 'failed'; readonly reason?: string | undefined };

const MAX_MS = 10_000; // both requests together, with all redirects
/** Metadata may contain a picture. */
const MAX_OFFER_BYTES = 262_144;
const MAX_CALLBACK_BYTES = 32_768;
const MAX_REDIRECTS = 2;
/** LNURL leaves most of the requests that `egress` permits to other features: slow services must not delay webhooks. */
const MAX_IN_PROGRESS = 64;

/** The payer pays at once. What is not paid, because the payer lacks the money, soon leaves the recipient's list. */
const OWN_INVOICE_MINUTES = 5;
const OWN_PATH = /\/\.well-known\/lnurlp\/([^/]+)$/;

export interface LnurlPayer {
  readonly userId: string;
  /** Names the attempt, which gets the same invoice of Sluice again. An outside service makes a new one each time. */
  readonly attempt?: string | undefined;
}

/**
 * Gets the invoice to pay for an LNURL or a Lightning address: from its LNURL-pay service (LUD-06), by requests through the guard of `egress`,
 * or from Sluice itself for an address of its own.
 */
@Injectable()
export class LnurlInvoiceService {
  private readonly counter;
  private readonly slots = new FairSlots(MAX_IN_PROGRESS);

  constructor(
    private readonly egress: EgressClient,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly offers: PayOfferService,
    metrics: Metrics,
  ) {
    this.counter = metrics.counter('sluice_lnurl_requests_total', 'Invoices that Sluice requested from LNURL services, by result', [
      'result',
    ]);
  }

  async request(url: URL, amountSats: number, { userId, attempt }: LnurlPayer): Promise<LnurlInvoice | { readonly kind: 'unavailable' }> {
    const username = this.ownUsernameIn(url);
    if (username === undefined) return this.requestInvoice(url, msatOfSats(amountSats), userId);
    const recipient = await this.offers.find(username);
    if (!recipient) return { kind: 'failed' };
    const order = { amountMsat: msatOfSats(amountSats), expiresInMinutes: OWN_INVOICE_MINUTES, attempt };
    const made = await this.offers.order(recipient, order);
    if (made.kind === 'created') return { kind: 'invoice', paymentRequest: made.invoice.paymentRequest };
    if (made.kind === 'vetoed') return { kind: 'failed', reason: made.message };
    return { kind: made.kind === 'unavailable' ? 'unavailable' : 'out_of_bounds' };
  }

  /** Sluice does not send requests to itself: its own name may lead to an address that none may go to. */
  private ownUsernameIn(url: URL): string | undefined {
    return isOwnDomain(this.config, url.host) ? OWN_PATH.exec(url.pathname)?.[1] : undefined;
  }

  /** Never rejects. @param payerId whose share of the requests in progress it takes */
  private async requestInvoice(url: URL, amountMsat: Msat, payerId: string): Promise<LnurlInvoice> {
    const release = this.slots.take(payerId);
    const result = release ? await this.negotiate(url, amountMsat).finally(release) : ({ kind: 'busy' } as const);
    this.counter.inc({ result: typeof result === 'string' ? result : result.kind });
    if (typeof result === 'string') return { kind: 'failed' };
    return result instanceof ServiceError ? { kind: 'failed', reason: result.reason } : result;
  }

  private async negotiate(url: URL, amountMsat: Msat): Promise<LnurlInvoice | Fault> {
    const deadline = performance.now() + MAX_MS;
    const described = await this.get(url.href, MAX_OFFER_BYTES, deadline);
    if (isFault(described)) return described;
    const offer = foreignOfferOf(described);
    if (typeof offer === 'string') return offer;
    if (amountMsat < offer.minMsat || amountMsat > offer.maxMsat) return { kind: 'out_of_bounds' };
    const { callback, metadata } = offer;
    const answer = await this.get(`${callback}${callback.includes('?') ? '&' : '?'}amount=${amountMsat}`, MAX_CALLBACK_BYTES, deadline);
    return isFault(answer) ? answer : this.verified(answer['pr'], amountMsat, metadata);
  }

  /** The amount, and the hash of the metadata exactly as the service sent it: only such an invoice is for what the payer wants to pay. */
  private verified(pr: unknown, amountMsat: Msat, metadata: string): LnurlInvoice | Fault {
    const decoded = typeof pr === 'string' ? decodeInvoice(pr) : undefined;
    if (!decoded?.ok) return 'undecodable_invoice';
    const { network, amountMsat: invoiced, descriptionHash, expiresAt, paymentRequest } = decoded.invoice;
    if (network !== this.config.network) return 'wrong_network';
    if (invoiced !== amountMsat) return 'wrong_amount';
    if (descriptionHash !== createHash('sha256').update(metadata, 'utf8').digest('hex')) return 'wrong_hash';
    return expiresAt.getTime() <= this.clock.now() ? 'expired' : { kind: 'invoice', paymentRequest };
  }

  /** Follows redirects by new requests, so that each goes through the guard. Of the last answer the JSON counts, not the status (LUD-01). */
  private async get(url: string, maxBytes: number, deadline: number): Promise<JsonObject | Fault> {
    let next = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const timeoutMs = Math.ceil(deadline - performance.now());
      if (timeoutMs <= 0) return 'not_reached';
      const result = await this.egress.request({ method: 'GET', url: next, headers: { accept: 'application/json' }, timeoutMs, maxBytes });
      if (result.kind !== 'response') return 'not_reached';
      const location = result.status >= 300 && result.status < 400 ? result.headers['location'] : undefined;
      if (location === undefined) return jsonOf(result.body);
      if (typeof location !== 'string' || !URL.canParse(location, next)) return 'not_lnurl';
      next = new URL(location, next).href;
    }
    return 'not_lnurl';
  }
}

function jsonOf(text: string): JsonObject | Fault {
  const parsed = parsedJson(text);
  if (!isJsonObject(parsed)) return 'not_lnurl';
  const { status, reason } = parsed;
  if (typeof status !== 'string' || status.toUpperCase() !== 'ERROR') return parsed;
  return new ServiceError(typeof reason === 'string' ? reason : undefined);
}

const isFault = (answer: JsonObject | Fault): answer is Fault => typeof answer === 'string' || answer instanceof ServiceError;
