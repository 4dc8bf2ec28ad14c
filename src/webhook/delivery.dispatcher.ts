import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { EgressClient, type EgressResult } from '../egress/index.js';
import { retries } from '../kernel/retries.js';
import { within } from '../kernel/within.js';
import { Log } from '../logging/index.js';
import { Loops } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import { CLAIM_SECONDS, DeliveryLane, LANES, type LaneOptions } from './delivery-lane.js';
import { DeliveryStore, type AttemptResult, type ClaimedAttempt } from './delivery.store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { deliveryHeaders } from './signing-secret.js';

const TIMEOUT_MS = 10_000;
/** The body is read and discarded, so that the connection can be used again; beyond this length the connection is closed instead. */
const MAX_RESPONSE_BYTES = 65_536;
const BUSY_PAUSE_SECONDS = 1;
const STOP_MS = 3_000;

/**
 * Posts deliveries to their endpoints. The row of a delivery is the work: a process claims it for half a minute, and when the process
 * dies, another one makes the attempt again, with the same id. No worker of jobs waits for an endpoint that is slow.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Log('Webhooks');
  private readonly lanes: readonly DeliveryLane[];
  private readonly attempts: Counter<'result'>;
  private readonly stopping = new AbortController();

  constructor(
    private readonly store: DeliveryStore,
    private readonly egress: EgressClient,
    private readonly secrets: EndpointSecrets,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.attempts = metrics.counter(
      'sluice_webhook_attempts_total',
      'Attempts to deliver an event to an endpoint of a customer, by result',
      ['result'],
    );
    metrics.labelledGauge(
      'sluice_webhook_deliveries_waiting',
      'Deliveries that have not ended: to endpoints and URLs of known callers, and to URLs of callers without a credential',
      'caller',
      () => store.countWaiting(),
    );
    const onFailure = (error: Error): void => this.onFailure(error);
    const make = (attempt: ClaimedAttempt, { options }: DeliveryLane): Promise<void> =>
      this.make(attempt, options)
        .catch(onFailure)
        .finally(() => this.wake(options.isAnonymous));
    this.lanes = LANES.map((options) => new DeliveryLane(options, { store, loops, onFailure, make }));
  }

  onApplicationBootstrap(): void {
    for (const lane of this.lanes) lane.start();
  }

  /** Attempts that have not ended by then are made again by another process, as are those of a process that is killed. */
  async beforeApplicationShutdown(): Promise<void> {
    await within(STOP_MS, Promise.all(this.lanes.map((lane) => lane.stop())), () => []);
    this.stopping.abort();
  }

  /** Deliveries were committed, or an attempt has ended: what waits is begun now, and not at the next poll. */
  wake(isAnonymous: boolean): void {
    for (const lane of this.lanes) if (lane.options.isAnonymous === isAnonymous) lane.wake();
  }

  private async make(attempt: ClaimedAttempt, { pausesSeconds }: LaneOptions): Promise<void> {
    const result = await this.post(attempt);
    // The process has closed its connections: that says nothing about the endpoint.
    if (this.stopping.signal.aborted) return;
    if (result.kind === 'busy') return this.repeat(() => this.store.release(attempt, BUSY_PAUSE_SECONDS));
    const { isDelivered, status, error } = endOf(result);
    const pauseSeconds = isDelivered ? null : (pausesSeconds[attempt.failures] ?? null);
    const stored: AttemptResult = { isDelivered, status, error, pauseSeconds };
    await this.repeat(async () => this.attempts.inc({ result: (await this.store.finish(attempt, stored)) ?? 'lost' }));
  }

  /** What the endpoint has answered is known here only, and its next deliveries wait for it: it is stored again for as long as the claim may last. */
  private async repeat(store: () => Promise<void>): Promise<void> {
    try {
      return await store();
    } catch (error) {
      this.onFailure(error as Error);
    }
    const isStored = (): Promise<boolean> =>
      store().then(
        () => true,
        () => false,
      );
    const lasting = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(CLAIM_SECONDS * 1_000)]);
    for await (const _retry of retries(lasting)) if (await isStored()) return;
  }

  private onFailure({ message }: Error): void {
    this.log.warn('webhook_deliveries_unavailable', {}, `Deliveries could not be read or stored, and are tried again: ${message}`);
  }

  private async post(attempt: ClaimedAttempt): Promise<EgressResult | { readonly kind: 'unsigned' }> {
    const { id, url, body, sequence } = attempt;
    const secrets = this.secretsOf(attempt);
    if (!secrets) return { kind: 'unsigned' };
    const headers = {
      'content-type': 'application/json',
      'webhook-sequence': String(sequence),
      ...deliveryHeaders({ id, timestamp: Math.floor(Date.now() / 1000), body }, secrets),
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES, statusSuffices: true };
    return this.egress.request({ method: 'POST', url, headers, body, ...limits });
  }

  /** The current secret, and during a rotation the previous one; none of an invoice's webhook; undefined if `SECRET_KEY` was replaced without its previous value. */
  private secretsOf({ endpointId, secret, previousSecret }: ClaimedAttempt): Buffer[] | undefined {
    try {
      return [secret, previousSecret].filter((each) => each !== null).map((each) => this.secrets.decrypt(endpointId, each));
    } catch {
      this.log.error('webhook_secret_unreadable', { endpointId }, `The secret of the webhook endpoint ${endpointId} cannot be decrypted`);
      return undefined;
    }
  }
}

/** What is stored of an attempt's end. Any status of 200 to 299 is a delivery. */
function endOf(result: Exclude<EgressResult, { kind: 'busy' }> | { readonly kind: 'unsigned' }): Omit<AttemptResult, 'pauseSeconds'> {
  if (result.kind === 'unsigned') return { isDelivered: false, status: null, error: 'secret_unreadable' };
  if (result.kind !== 'response') return { isDelivered: false, status: null, error: result.reason };
  const isDelivered = result.status >= 200 && result.status <= 299;
  return { isDelivered, status: result.status, error: isDelivered ? null : 'status' };
}
