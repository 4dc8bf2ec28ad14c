import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/clock.js';
import { randomBytes } from '../../../platform/kernel/random.js';
import type { Proof } from './proof.js';

/** A nonce is given out for half of its life, and accepted for 60 seconds at most. */
const GIVEN_MS = 30_000;
const ACCEPTED_MS = 2 * GIVEN_MS;
/** Proofs under one nonce. It is given out for the first half of them, too: beyond, proofs are refused, never forgotten. */
const MAX_PROOFS = 100_000;

interface Span {
  readonly nonce: string;
  readonly since: number;
  readonly used: Set<string>;
}

/**
 * The nonces of this process (RFC 9449 sections 8 and 11.1), and the proofs that it has accepted under them. Another process has nonces of its
 * own and refuses these, and so does this one after a restart: a proof is accepted by one process, once, without a database.
 */
@Injectable()
export class ProofWindow {
  private current: Span;
  private previous: Span | undefined;

  constructor(private readonly clock: Clock) {
    this.current = this.begin();
  }

  /** For the next proofs. */
  get nonce(): string {
    const age = this.clock.elapsed() - this.current.since;
    if (age >= GIVEN_MS || this.current.used.size >= MAX_PROOFS / 2) {
      this.previous = this.current;
      this.current = this.begin();
    }
    return this.current.nonce;
  }

  /** `unknown`: the nonce is of another process, or too old. */
  use({ jkt, jti }: Proof, nonce: string): 'fresh' | 'used' | 'unknown' {
    const span = this.nonce === nonce ? this.current : this.previous;
    if (span?.nonce !== nonce || span.used.size >= MAX_PROOFS || this.clock.elapsed() - span.since >= ACCEPTED_MS) return 'unknown';
    const key = hash('sha256', `${jkt} ${jti}`, 'base64');
    if (span.used.has(key)) return 'used';
    span.used.add(key);
    return 'fresh';
  }

  private begin(): Span {
    return { nonce: randomBytes(16).toString('base64url'), since: this.clock.elapsed(), used: new Set() };
  }
}
