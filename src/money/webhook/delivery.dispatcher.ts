import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { EgressClient, type EgressResult } from '../../edge/egress/index.js';
import { Database, queryOne, sql } from '../../platform/database/index.js';
import { JobWorkers, type ClaimedJob, type JobClass, type JobEnd } from '../../platform/job/index.js';
import { unlessAborted } from '../../platform/kernel/unless-aborted.js';
import { Log } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { EndpointSecrets, deliveryHeaders } from './signing-secret.js';
import type { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook.entity.js';

/** Of each class in a process, together fewer than the requests that `egress` permits, beside those of LNURL. Repeats never wait with first attempts. */
const SLOTS = { webhook: 64, webhook_later: 32, webhook_anonymous: 16, webhook_anonymous_later: 8 } as const;
/** Longer than an attempt and the statement that stores its end. */
const CLAIM_SECONDS = 30;
const TIMEOUT_MS = 10_000;
/** The body is read and discarded, so that the connection can be used again; beyond this length the connection is closed instead. */
const MAX_RESPONSE_BYTES = 65_536;
const BUSY_PAUSE_SECONDS = 1;

/** The previous secret is null once its time is over. */
type DeliveryContent = Pick<WebhookDeliveryEntity, 'id' | 'endpointId' | 'sequence' | 'body'> &
  Pick<WebhookEndpointEntity, 'url' | 'secret' | 'previousSecret'>;

type PostResult = EgressResult | { readonly kind: 'unsigned'; readonly reason: 'secret_unreadable' };

const FIND = sql`SELECT d.id, d.endpoint_id AS "endpointId", d.sequence, d.body, e.url, e.secret,
                CASE WHEN e.previous_until > now() THEN e.previous_secret END AS "previousSecret"
           FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.id = $1 AND d.state = 'waiting'`;
const FINISH = sql`SELECT webhook_finish($1, $2, $3, $4, $5) AS state`;
const COUNT = sql`SELECT count(*) FILTER (WHERE class NOT LIKE 'webhook_anonymous%')::int AS known,
                 count(*) FILTER (WHERE class LIKE 'webhook_anonymous%')::int AS anonymous FROM job WHERE task = 'webhook'`;

/** Posts deliveries to their endpoints: the attempt of a delivery is the run of its job. */
@Injectable()
export class DeliveryDispatcher {
  private readonly log = new Log('Webhooks');
  private readonly classes: readonly JobClass[];
  private readonly attempts: Counter<'result'>;

  constructor(
    private readonly database: Database,
    private readonly egress: EgressClient,
    private readonly secrets: EndpointSecrets,
    workers: JobWorkers,
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
      () => queryOne<Record<'known' | 'anonymous', number>>(database, COUNT),
    );
    this.classes = Object.entries(SLOTS).map(([name, slots]) =>
      workers.add({
        name,
        slots,
        claimSeconds: CLAIM_SECONDS,
        isSerial: false,
        tasks: ['webhook'],
        run: (job, signal) => this.attempt(job, signal),
      }),
    );
  }

  /** Deliveries were committed: they begin now, and not at the next poll. */
  wake(): void {
    for (const each of this.classes) each.wake();
  }

  private async attempt(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd | (() => Promise<unknown>)> {
    const { delivery } = job.payload as { delivery: string };
    const notMade = (againInSeconds: number): JobEnd => ({ againInSeconds, attempts: job.attempt - 1 });
    const found = await this.database.query<DeliveryContent>(FIND, [delivery]).catch(() => undefined);
    if (!found) return notMade(BUSY_PAUSE_SECONDS);
    const [content] = found;
    if (!content) return {};
    const result = await unlessAborted(this.post(content), signal);
    if (!result) return notMade(0);
    if (result.kind === 'busy') return notMade(BUSY_PAUSE_SECONDS);
    const outcome = result.kind === 'response' ? [result.status, 'status'] : [null, result.reason];
    return async () => {
      const values = [delivery, job.id, job.claim, ...outcome];
      const { state } = await queryOne<{ state: string | null }>(this.database, FINISH, values);
      this.attempts.inc({ result: state ?? 'lost' });
    };
  }

  private async post(content: DeliveryContent): Promise<PostResult> {
    const { id, url, body, sequence } = content;
    const secrets = this.secretsOf(content);
    if (!secrets) return { kind: 'unsigned', reason: 'secret_unreadable' };
    const headers = {
      'content-type': 'application/json',
      'webhook-sequence': String(sequence),
      ...deliveryHeaders(id, body, secrets),
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES, statusSuffices: true };
    return this.egress.request({ method: 'POST', url, headers, body, ...limits });
  }

  /** The current secret, and during a rotation the previous one; none of an invoice's webhook; undefined if `SECRET_KEY` was replaced without its previous value. */
  private secretsOf({ endpointId, secret, previousSecret }: DeliveryContent): Buffer[] | undefined {
    try {
      return [secret, previousSecret].filter((each) => each !== null).map((each) => this.secrets.decrypt(endpointId, each));
    } catch {
      this.log.error('webhook_secret_unreadable', { endpointId }, `The secret of the webhook endpoint ${endpointId} cannot be decrypted`);
      return undefined;
    }
  }
}
