import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { FairSlots } from '../../../platform/kernel/fair-slots.js';
import { within } from '../../../platform/kernel/within.js';
import { LightningNode, type FeeProbe, type FeeProbeRequest } from '../../lightning/index.js';

/** Clients probe before each payment and repeat what is slow: some give up after a second. */
const MAX_WAIT_MS = 800;
const KEPT_MS = 5_000;
const MAX_KEPT = 2_000;
/** A real node searches its graph for each, beside its payments. */
const MAX_AT_NODE = 32;
const UNKNOWN = { status: 'unknown' } as const;

interface Estimate {
  readonly probe: Promise<FeeProbe>;
  /** By `Clock.elapsed()`; unlimited until the node has answered. */
  until: number;
}

/**
 * The node's estimates of fees, kept for seconds. Callers that ask for the same payment share one call. A call that takes too long is
 * not cancelled: a later caller gets its answer.
 */
@Injectable()
export class FeeEstimates {
  private readonly kept = new BoundedMap<string, Estimate>(MAX_KEPT);
  private readonly slots = new FairSlots(MAX_AT_NODE);

  constructor(
    private readonly lightning: LightningNode,
    private readonly clock: Clock,
  ) {}

  /** `unknown` also if the node does not answer in time, or has too many calls already. @param userId whose share of them it takes */
  find(request: FeeProbeRequest, userId: string): Promise<FeeProbe> {
    return within<FeeProbe>(MAX_WAIT_MS, this.shared(request, userId), () => UNKNOWN);
  }

  private async shared(request: FeeProbeRequest, userId: string): Promise<FeeProbe> {
    const key = keyOf(request);
    const known = this.kept.get(key);
    if (known && this.clock.elapsed() < known.until) return known.probe;
    const release = this.slots.take(userId);
    if (!release) return UNKNOWN;
    const estimate: Estimate = { probe: this.lightning.probeFee(request).finally(release), until: Infinity };
    this.kept.set(key, estimate);
    return estimate.probe.then((probe) => {
      estimate.until = probe.status === 'known' || probe.status === 'no_route' ? this.clock.elapsed() + KEPT_MS : 0;
      return probe;
    });
  }
}

/** The text, not the payment hash: another text of the hash can have other route hints. */
const keyOf = ({ paymentRequest, amountMsat, feeLimitMsat }: FeeProbeRequest): string =>
  `${hash('sha256', paymentRequest, 'base64')} ${amountMsat} ${feeLimitMsat}`;
