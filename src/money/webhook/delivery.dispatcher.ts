import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { EgressClient, type EgressResult } from '../../edge/egress/index.js';
import { isPaused } from '../../access/user/index.js';
import { Database, fragment, queryOne, sql } from '../../platform/database/index.js';
import { givenBack, JobWorkers, type ClaimedJob, type JobClass, type JobEnd } from '../../platform/job/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { unlessAborted } from '../../platform/kernel/unless-aborted.js';
import { Log } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { retryAfterOf } from './retry-after.js';
import { EndpointSecrets, deliveryHeaders } from './signing-secret.js';
import type { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook.entity.js';

/** Of each class in a process, together fewer than the requests that `egress` permits, beside those of LNURL. Repeats never wait with first attempts. */
const SLOTS = { webhook: 64, webhook_later: 32, webhook_anonymous: 16, webhook_anonymous_later: 8 } as const;
/** Longer than an attempt and the statement that stores its end. */
const CLAIM_SECONDS = 30;
/** The body is read and discarded, so that the connection can be used again; beyond this length the connection is closed instead. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 65_536, statusSuffices: true } as const;
const BUSY_PAUSE_SECONDS = 1;
/** While the owner or the operator has paused access. */
const ACCESS_PAUSE_SECONDS = 60;

/** The previous secret is null once its time is over. */
type DeliveryContent = Pick<WebhookDeliveryEntity, 'id' | 'endpointId' | 'sequence' | 'body'> &
  Pick<WebhookEndpointEntity, 'url' | 'secret' | 'previousSecret'> & { readonly nowSeconds: number; readonly isPaused: boolean };

type PostResult = EgressResult | { readonly kind: 'unsigned'; readonly reason: 'secret_unreadable' };

const FIND = sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS "nowSeconds", d.id, d.endpoint_id AS "endpointId", d.sequence, d.body, e.url, e.secret,
                CASE WHEN e.previous_until > now() THEN e.previous_secret END AS "previousSecret",
                ${isPaused(fragment`(SELECT a.user_id FROM account a WHERE a.id = coalesce(e.account_id, (SELECT w.account_id FROM wallet w WHERE w.id = e.wallet_id)))`)} AS "isPaused"
           FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.id = $1 AND d.state = 'waiting'`;
const FINISH = sql`SELECT webhook_finish_v2($1, $2, $3, $4, $5, $6) AS state`;
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
    const tasks = [{ name: 'webhook', run: this.attempt.bind(this) }];
    this.classes = Object.entries(SLOTS).map(([name, slots]) =>
      workers.add({ name, slots, claimSeconds: CLAIM_SECONDS, isSerial: false, tasks }),
    );
  }

  /** Deliveries were committed: they begin now, and not at the next poll. */
  wake(): void {
    for (const each of this.classes) each.loop.wake();
  }

  private async attempt(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd | (() => Promise<unknown>)> {
    const { delivery } = job.payload as { delivery: string };
    const [content] = await this.database.query<DeliveryContent>(FIND, [delivery]);
    if (!content) return {};
    if (content.isPaused) return givenBack(job, ACCESS_PAUSE_SECONDS);
    const result = await unlessAborted(this.post(content), signal);
    if (!result) return givenBack(job);
    if (result.kind === 'busy') return givenBack(job, BUSY_PAUSE_SECONDS);
    const outcome =
      result.kind === 'response'
        ? [result.status, 'status', retryAfterOf(result.status, result.headers, content.nowSeconds * 1000)]
        : [null, result.reason, 0];
    return async () => {
      const values = [delivery, job.id, job.claim, ...outcome];
      const { state } = await queryOne<{ state: string | null }>(this.database, FINISH, values);
      this.attempts.inc({ result: state ?? 'lost' });
    };
  }

  private async post(content: DeliveryContent): Promise<PostResult> {
    const { id, endpointId, url, body, sequence, secret, previousSecret, nowSeconds } = content;
    // The current secret, and during a rotation the previous one; none of an invoice's webhook.
    const encrypted = [secret, previousSecret].filter((each) => each !== null);
    const secrets = orNone(() => encrypted.map((each) => this.secrets.decrypt(endpointId, each)));
    if (!secrets) {
      // `SECRET_KEY` was replaced without its previous value.
      this.log.error('webhook_secret_unreadable', { endpointId }, `The secret of the webhook endpoint ${endpointId} cannot be decrypted`);
      return { kind: 'unsigned', reason: 'secret_unreadable' };
    }
    const headers = {
      'content-type': 'application/json',
      'webhook-sequence': String(sequence),
      ...deliveryHeaders(id, body, secrets, Math.floor(nowSeconds)),
    };
    return this.egress.request({ method: 'POST', url, headers, body, ...LIMITS });
  }
}
