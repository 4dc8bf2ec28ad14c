import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../kernel/bounded-map.js';
import { Clock } from '../kernel/clock.js';
import { within } from '../kernel/within.js';
import { LightningNode, type FeeProbe, type FeeProbeRequest } from '../lightning/index.js';

/** Clients probe before each payment and repeat what is slow: some give up after a second. */
const MAX_WAIT_MS = 800;
const KEPT_MS = 5_000;
const MAX_KEPT = 2_000;
const UNKNOWN = { status: 'unknown' } as const;

interface Estimate {
  readonly probe: Promise<FeeProbe>;
  /** By the process clock; unlimited until the node has answered. */
  until: number;
}

/**
 * The node's estimates of fees, kept for seconds. Callers that ask for the same payment share one call. A call that takes too long is
 * not cancelled: a later caller gets its answer.
 */
@Injectable()
export class FeeEstimates {
  private readonly kept = new BoundedMap<string, Estimate>(MAX_KEPT);

  constructor(
    private readonly lightning: LightningNode,
    private readonly clock: Clock,
  ) {}

  /** `unknown` also if the node does not answer in time. */
  find(request: FeeProbeRequest): Promise<FeeProbe> {
    return within<FeeProbe>(MAX_WAIT_MS, this.shared(request), () => UNKNOWN);
  }

  private shared(request: FeeProbeRequest): Promise<FeeProbe> {
    const key = keyOf(request);
    const known = this.kept.get(key);
    if (known && this.clock.now() < known.until) return known.probe;
    const estimate: Estimate = { probe: this.lightning.probeFee(request), until: Infinity };
    this.kept.set(key, estimate);
    return estimate.probe.then((probe) => {
      estimate.until = probe.status === 'known' || probe.status === 'no_route' ? this.clock.now() + KEPT_MS : 0;
      return probe;
    });
  }
}

/** The text, not the payment hash: another text of the hash can have other route hints. */
const keyOf = ({ paymentRequest, amountMsat, feeLimitMsat }: FeeProbeRequest): string =>
  `${hash('sha256', paymentRequest, 'base64')} ${amountMsat} ${feeLimitMsat}`;
