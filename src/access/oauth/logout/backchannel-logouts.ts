import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { EgressClient, type EgressResult } from '../../../edge/egress/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { Jobs } from '../../../platform/job/index.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { Log } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import type { IdTokenAlg } from '../client/client.entity.js';
import { SigningKeys } from '../key/signing-keys.js';

/** What `oauth_logout_add` stores. */
interface EndedSignIn {
  readonly client: string;
  readonly sub: string;
  readonly sid: string;
}

interface Receiver {
  readonly url: string;
  readonly alg: IdTokenAlg;
  readonly nowSeconds: number;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LIFE_SECONDS = 120;
const LIMITS = { timeoutMs: 10_000, maxBytes: 65_536, statusSuffices: true } as const;

const FIND = sql`SELECT c.backchannel_logout_uri AS url, c.id_token_alg AS alg, floor(extract(epoch FROM now()))::int AS "nowSeconds"
           FROM oauth_client c WHERE c.id = $1 AND c.backchannel_logout_uri IS NOT NULL`;

type Delivery = 'delivered' | 'rejected' | 'refused' | 'failed';

function deliveryOf(result: EgressResult): Delivery {
  if (result.kind !== 'response') return result.kind === 'refused' ? 'refused' : 'failed';
  if (result.status === 400) return 'rejected';
  return result.status === 200 || result.status === 204 ? 'delivered' : 'failed';
}

const reasonOf = (result: EgressResult): string => {
  if (result.kind === 'response') return `status ${result.status}`;
  return result.kind === 'busy' ? 'too many requests in progress' : result.reason;
};

/** Posts the end of a sign-in to the clients that it concerns (OpenID Connect Back-Channel Logout 1.0), each by a job. */
@Injectable()
export class BackchannelLogouts {
  private readonly log = new Log('OAuth');
  private readonly deliveries: Counter<'result'>;

  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
    private readonly egress: EgressClient,
    jobs: Jobs,
    metrics: Metrics,
  ) {
    this.deliveries = metrics.counter('sluice_oauth_backchannel_total', 'Attempts to post a back-channel logout to an app, by result', [
      'result',
    ]);
    jobs.task<EndedSignIn>('oauth_logout', (ended) => this.deliver(ended));
  }

  /** @throws Error if the job has to be repeated */
  private async deliver(ended: EndedSignIn): Promise<void> {
    const [receiver] = await this.database.query<Receiver>(FIND, [ended.client]);
    if (!receiver) return;
    const result = await this.post(receiver, ended);
    const delivery = deliveryOf(result);
    this.deliveries.inc({ result: delivery });
    if (delivery === 'delivered') return;
    const { client: clientId } = ended;
    if (delivery !== 'rejected') throw new Error(`Back-channel logout of the app ${clientId}: ${reasonOf(result)}`);
    this.log.warn('oauth_backchannel_rejected', { clientId }, `The app ${clientId} has rejected a back-channel logout; it is not repeated`);
  }

  /** Each attempt has a token of its own: an app may have seen that of an attempt whose answer was lost. */
  private async post({ url, alg, nowSeconds: iat }: Receiver, { client: aud, sub, sid }: EndedSignIn): Promise<EgressResult> {
    const claims = { aud, sub, sid, iat, exp: iat + LIFE_SECONDS, jti: newId(), events: { [EVENT]: {} } };
    const body = new URLSearchParams({ logout_token: await this.keys.sign(claims, alg, 'logout+jwt') }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.egress.request({ method: 'POST', url, headers, body, ...LIMITS });
  }
}
